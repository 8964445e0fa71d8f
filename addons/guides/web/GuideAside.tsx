import { lazy, Suspense, useEffect, useRef, useState } from 'react'
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
  useEffect(() => {
    let isCurrent = true
    api.guideRun.show({ vmName }).then(
      (reply) => isCurrent && setRun(reply.run),
      // The machine is used without its guide. A reload tries again.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [vmName])
  const [said, setSaid] = useState('')
  const mark = useRef<string | null>(null)
  const refresh = () =>
    api.guideRun.show({ vmName }).then(
      // The reply to a click of the learner is newer.
      (reply) => reply.run !== null && setRun((now) => (now === run ? reply.run : now)),
      () => {},
    )
  const isVisible = usePageVisible()
  useEventStream<{ readonly mark: string }>({
    url: isVisible && run !== null ? streamUrl('guideRun', 'watch', { vmName }) : null,
    onEvent(event) {
      if (mark.current !== null && mark.current !== event.mark) {
        setSaid('Your instructor changed the guide.')
        void refresh()
      }
      mark.current = event.mark
    },
    poll: () => void refresh(),
  })
  return (
    run !== null && (
      <>
        <output className="visually-hidden">{said}</output>
        <Suspense>
          <GuidePanel vmName={vmName} run={run} setRun={setRun} terminal={terminal} />
        </Suspense>
      </>
    )
  )
}
