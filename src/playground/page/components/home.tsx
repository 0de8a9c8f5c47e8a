import { useMemo } from 'react';
import type { PlaygroundView } from '../../protocol.ts';
import { Blocks } from '../blocks/block.tsx';
import { FormProvider } from '../blocks/form.tsx';
import { useDesk } from '../desk.ts';
import { homeView } from '../perspective.ts';
import { asBlocks } from '../read-json.ts';

export function Home() {
  const { world, me } = useDesk();
  const view = homeView(world, me.id);
  if (!view)
    return (
      <p className="empty home">
        {world.app.name} has published no Home for {me.realName} yet.
      </p>
    );
  return <HomeView view={view} />;
}

function HomeView({ view }: { view: PlaygroundView }) {
  const container = useMemo(() => ({ type: 'view' as const, view: view.id }), [view.id]);
  const blocks = useMemo(() => asBlocks(view.view.blocks as never), [view.view.blocks]);
  return (
    <section className="home" aria-label="Home">
      <FormProvider container={container} blocks={blocks}>
        <Blocks blocks={blocks} />
      </FormProvider>
    </section>
  );
}
