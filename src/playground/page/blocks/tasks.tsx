/** What an agent is doing: `task_card`, `plan`, and the tasks of a stream. */
import type { Block, Json, PlaygroundMessage } from '../../protocol.ts';
import { asObject, asObjects, asString, type JsonObject, textOf } from '../read-json.ts';
import { RichText } from './rich-text.tsx';
import { Link, Mrkdwn } from './text.tsx';

const WORDS: { [status: string]: string } = {
  pending: 'Waiting',
  in_progress: 'In progress',
  complete: 'Done',
  completed: 'Done',
  error: 'Failed',
};

export function TaskCard({ task }: { task: JsonObject }) {
  const sources = asObjects(task.sources);
  return (
    <div className="task">
      <TaskHead title={textOf(task.title)} status={asString(task.status) ?? 'pending'} />
      <TaskText of={task.details} />
      <TaskText of={task.output} />
      {sources.length > 0 && (
        <div className="task-text">
          {sources.map((source, index) => (
            <span key={index} className="task-source">
              <Link url={asString(source.url) ?? ''}>{textOf(source.text) || asString(source.url)}</Link>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

function TaskHead({ title, status }: { title: string; status: string }) {
  return (
    <div className="task-head">
      <span className={`task-sign task-${status}`} role="img" aria-label={WORDS[status] ?? status} />
      <span>{title}</span>
    </div>
  );
}

function TaskText({ of }: { of: Json | undefined }) {
  if (of === undefined || of === '') return null;
  return (
    <div className="task-text">
      {asObject(of)?.type === 'rich_text' ? <RichText of={of} /> : <Mrkdwn text={textOf(of)} />}
    </div>
  );
}

export function PlanBlock({ block }: { block: Block }) {
  return (
    <section className="plan" aria-label={textOf(block.title)}>
      <div className="card-title">{textOf(block.title)}</div>
      {asObjects(block.tasks).map((task, index) => (
        <TaskCard key={index} task={task} />
      ))}
    </section>
  );
}

export function StreamTasks({ tasks }: { tasks: NonNullable<PlaygroundMessage['tasks']> }) {
  return (
    <section className="plan" aria-label="Tasks">
      {tasks.map((task) => (
        <div key={task.id} className="task">
          <TaskHead title={task.title} status={task.status} />
          <TaskText of={task.details} />
          <TaskText of={task.output} />
        </div>
      ))}
    </section>
  );
}
