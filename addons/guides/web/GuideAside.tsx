import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { api, streamUrl } from '@trainyard/platform/web/api/client.ts'
import { useEventStream } from '@trainyard/platform/web/api/event-stream.ts'
import { usePageVisible } from '@trainyard/platform/web/api/usePageVisible.ts'
import type { GuideRunView } from '../contract/guide.ts'
import type { TerminalHandle } from '@trainyard/remote-access/web/slots.ts'

const GuidePanel = lazy(() => import('./GuidePanel.tsx'))

/** Loads the guide of a machine. The code that shows one is loaded only if there is one. */
export default function GuideAside({
  target: { vmName },
  terminal,
}: {
  target: { vmName: string }
  terminal: TerminalHandle | null
}) {
  const [run, setRun] = useState<GuideRunView | null>(null)
  const isConnected = terminal !== null
  const isMissing = useEffectEvent(() => run === null)
  useEffect(() => {
    if (!isMissing()) return undefined
    let isCurrent = true
    api.guideRun.show({ vmName }).then(
      (reply) => isCurrent && setRun(reply.run),
      // The machine is used without its guide. A reload tries again.
      () => {},
    )
    return () => {
      isCurrent = false
    }
    // Again once connected: outside the access window there is no guide.
  }, [vmName, isConnected])
  /** Changes by the instructors; 0 after an action of the learner, who has then seen them. */
  const [changes, setChanges] = useState(0)
  const mark = useRef<string | null>(null)
  const refresh = () =>
    api.guideRun.show({ vmName }).then(
      ({ run: newest }) => {
        if (newest === null) return
        if (run !== null && changedByInstructors(run) !== changedByInstructors(newest)) setChanges((now) => now + 1)
        // The reply to a click of the learner is newer.
        setRun((now) => (now === run ? newest : now))
      },
      () => {},
    )
  const isVisible = usePageVisible()
  useEventStream<{ readonly mark: string }>({
    url: isVisible && run !== null ? streamUrl('guideRun', 'watch', { vmName }) : null,
    onEvent(event) {
      if (mark.current === event.mark) return
      mark.current = event.mark
      // Also at the first event: the guide was fetched before.
      void refresh()
    },
    poll: () => void refresh(),
  })
  return (
    run !== null && (
      <>
        {/* The key makes the same sentence be read again. */}
        <output className="visually-hidden">{changes > 0 && <span key={changes}>{CHANGED}</span>}</output>
        <Suspense>
          <GuidePanel
            vmName={vmName}
            run={run}
            notice={changes > 0 ? CHANGED : null}
            setRun={(newest) => {
              setChanges(0)
              setRun(newest)
            }}
            terminal={terminal}
          />
        </Suspense>
      </>
    )
  )
}

const CHANGED = 'Your instructor changed the guide.'

/** Returns what instructors can change of a guide that a learner has opened. */
const changedByInstructors = ({ title, steps }: GuideRunView) =>
  JSON.stringify([title, steps.map(({ id, note }) => [id, note])])
