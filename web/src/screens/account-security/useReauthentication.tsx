import { lazy, Suspense, useState } from 'react'
import { ApiError } from '#src/api/error.ts'

const ConfirmDialog = lazy(() => import('./ConfirmIdentity.tsx'))

interface Waiting {
  readonly resume: () => void
  readonly cancel: (error: Error) => void
}

/** Repeats a call that was refused with `confirmFirst` after a dialog has proved the user's identity. */
export function useReauthentication() {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const confirmed = async <Reply,>(call: () => Promise<Reply>): Promise<Reply> => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'confirmFirst') throw error
      await new Promise<void>((resume, cancel) => setWaiting({ resume, cancel })).finally(() => setWaiting(null))
      return call()
    }
  }
  const dialog = waiting && (
    <Suspense>
      <ConfirmDialog
        confirmed={waiting.resume}
        close={() => waiting.cancel(new Error('Nothing was changed, because you did not confirm.'))}
      />
    </Suspense>
  )
  return { confirmed, dialog }
}
