/** The frame: top bar, sidebar, channel, thread, inspector, and the modal over them. */
import { useEffect, useState } from 'react';
import { useDesk } from '../desk.ts';
import { openModal } from '../perspective.ts';
import { ChannelView } from './channel-view.tsx';
import { Inspector } from './inspector.tsx';
import { Modal } from './modal.tsx';
import { Sidebar } from './sidebar.tsx';
import { ThreadPane } from './thread-pane.tsx';
import { TopBar } from './top-bar.tsx';

export function Shell({ connected }: { connected: boolean }) {
  const { world, me, place } = useDesk();
  const [sidebar, setSidebar] = useState(false);
  const [inspector, setInspector] = useState(false);
  const modal = openModal(world, me.id);
  // Whoever went somewhere wants to see it, not the drawer that covers it on a narrow screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what it follows
  useEffect(() => setSidebar(false), [place]);
  return (
    <div className={`shell ${sidebar ? 'with-sidebar' : ''} ${inspector ? 'with-inspector' : ''}`}>
      <TopBar
        connected={connected}
        sidebar={sidebar}
        inspector={inspector}
        onSidebar={() => setSidebar(!sidebar)}
        onInspector={() => setInspector(!inspector)}
      />
      <Sidebar />
      {/* A new person or channel begins with fresh boxes: a draft of one must not be sent as another. */}
      <ChannelView key={`${me.id}/${place.channel}`} />
      {place.thread && place.channel && (
        <ThreadPane key={`${me.id}/${place.channel}/${place.thread}`} channel={place.channel} threadTs={place.thread} />
      )}
      {inspector && <Inspector onClose={() => setInspector(false)} />}
      {modal && <Modal key={modal.id} view={modal} />}
    </div>
  );
}
