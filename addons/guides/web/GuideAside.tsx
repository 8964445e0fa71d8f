import { lazy, Suspense, useEffect, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
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
  return (
    run !== null && (
      <Suspense>
        <GuidePanel vmName={vmName} run={run} setRun={setRun} terminal={terminal} />
      </Suspense>
    )
  )
}
