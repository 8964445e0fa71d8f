import { lazy, Suspense, useState } from 'react'
import { ApiError } from '#src/api/error.ts'

const ConfirmDialog = lazy(() => import('./ConfirmIdentity.tsx'))

interface Waiting {
  readonly goOn: () => void
  readonly giveUp: (error: Error) => void
}

/**
 * Makes calls that change how one signs in: where the last proof of who one is lies too far back, the dialog asks for
 * another, and the call is made once more.
 */
export function useConfirmed() {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const confirmed = async <Reply,>(call: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'confirmFirst') throw error
      await new Promise<void>((goOn, giveUp) => setWaiting({ goOn, giveUp })).finally(() => setWaiting(null))
      return call()
    }
  }
  const dialog = waiting && (
    <Suspense>
      <ConfirmDialog
        confirmed={waiting.goOn}
        close={() => waiting.giveUp(new Error('Nothing was changed: it was not confirmed.'))}
      />
    </Suspense>
  )
  return { confirmed, dialog }
}
