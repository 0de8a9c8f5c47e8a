/** The demo's story: a deployment, with each kind of question. Nothing is deployed, and it says so. */
import { answerOf, ask, ended, inWords, type Next, outcomesOf, type Question } from './demo-questions.ts';
import type { Errand } from './demo-transcript.ts';
import type { ScriptRequest } from './model-request.ts';

/** One question a step, then two at once, then one in free text; then the summary. */
export function deploy(errand: Errand, request: ScriptRequest): Next {
  const service = serviceOf(errand.command);
  const { where, checks, start, tell, note } = questionsAbout(service);

  const lookup = request.tools.find(canLookUp)?.name;
  if (lookup && errand.outcomes.size === 0 && !errand.results.has(lookup))
    return { text: `Let me look first, before I ask about **${service}**.`, calls: [{ tool: lookup, args: {} }] };

  const target = errand.outcomes.get(where.question);
  if (!target) return { text: `I can deploy **${service}**, but some of it is yours to decide.`, calls: [ask(where)] };
  // Where it goes is the one thing that nobody else may decide.
  if (target.kind !== 'answered')
    return {
      text: `${ended(target)}\n\nI do not guess where **${service}** should go, so nothing happens. Say “deploy ${service}” to begin again.`,
    };

  const steps = [
    { questions: [checks], text: `**${answerOf(target)}** it is.` },
    {
      questions: [start, tell],
      text: `Checks: ${answerOf(errand.outcomes.get(checks.question))}. Two more, in any order:`,
    },
    { questions: [note], text: `Start: ${answerOf(errand.outcomes.get(start.question))}. One last thing:` },
  ];
  for (const { questions, text } of steps) {
    const { open } = outcomesOf(errand, questions);
    if (open.length > 0) return { text, calls: open.map(ask) };
  }
  return { text: summary(service, errand) };
}

function questionsAbout(service: string) {
  return {
    where: {
      question: `Where should ${service} go?`,
      options: [
        { label: 'Staging', description: 'Like production, but only the team sees it' },
        { label: 'Canary', description: 'One customer in twenty, watched for half an hour' },
        { label: 'Production', description: 'Everybody, at once' },
      ],
      selectionMode: 'single_select',
      allowFreeform: false,
    },
    checks: {
      question: 'Which checks should pass first?',
      options: [
        { label: 'Unit tests', description: 'About two minutes' },
        { label: 'Integration tests', description: 'About ten minutes' },
        { label: 'Load test', description: 'Half an hour, at twice the usual load' },
        { label: 'Migration dry run', description: "On last night's copy of the database" },
        { label: 'Security scan' },
        { label: 'Licence check' },
        { label: 'Smoke test', description: 'After it is there: five requests a minute' },
      ],
      selectionMode: 'multi_select',
      allowFreeform: false,
    },
    start: {
      question: 'When should it start?',
      options: [
        { label: 'Now' },
        { label: 'Tonight at 22:00', description: 'When the fewest people are on it' },
        { label: 'Monday at 06:00', description: 'With everybody back at work soon after' },
      ],
      selectionMode: 'single_select',
      allowFreeform: true,
    },
    tell: {
      question: 'Who should hear of it when it is done?',
      options: [{ label: 'Only this thread' }, { label: 'The release channel' }, { label: 'Whoever is on call' }],
      selectionMode: 'single_select',
      allowFreeform: true,
    },
    note: { question: 'What should the release note say?' },
  } satisfies Record<string, Question>;
}

function summary(service: string, errand: Errand): string {
  const questions = Object.values(questionsAbout(service));
  const rows = questions.map(({ question }) => `| ${question} | ${answerOf(errand.outcomes.get(question))} |`);
  const answer = (question: string) => errand.outcomes.get(question);
  const { where, checks, start, note } = questionsAbout(service);
  const target = answerOf(answer(where.question));
  const picked = answer(checks.question);
  const list = picked?.kind === 'answered' ? picked.labels.map(inWords) : [`no checks (${answerOf(picked)})`];
  const said = answer(note.question);
  const flag = (text: string) => JSON.stringify(text.replace(/[“”]/g, '').replace(/\\(.)/g, '$1'));
  return `# ${service} to ${target}

Before it starts:
${list.map((check) => `- ${check}`).join('\n')}

| You were asked | You said |
|---|---|
${rows.join('\n')}

What a real deployment would run:
\`\`\`sh
deploy ${service.replace(' ', '-')} \\
  --to ${flag(target)} \\
  --start ${flag(answerOf(answer(start.question)))}
\`\`\`
${said?.kind === 'answered' && said.text ? `\n> ${inWords(said.text)}\n` : ''}
_Scripted demo model: nothing was deployed._`;
}

/** "deploy the billing service to production": billing. "plan the release of 2.4": release 2.4. */
function serviceOf(command: string): string {
  const version = /\brelease\s+(?:of\s+)?(v?\d[\w.-]*)/i.exec(command)?.[1]?.replace(/[.-]+$/, '');
  if (version) return `release ${version}`;
  const words = /\b(?:deploy|release|roll ?out|ship)\s+(?:(?:the|our|a|an|new|latest|version|of)\s+)*([\w.-]+)/i.exec(
    command,
  );
  const name = words?.[1]?.replace(/[.-]+$/, '') ?? '';
  return /^(|it|this|that|to|please|now|service|something)$/i.test(name) ? 'billing' : name;
}

/** A tool that only looks, as far as a name can tell, and that needs nothing to be told. */
function canLookUp({ name, parameters }: ScriptRequest['tools'][number]): boolean {
  const required = parameters?.required;
  return /^(get|list|read|current|look_up|search)_/.test(name) && !(Array.isArray(required) && required.length > 0);
}
