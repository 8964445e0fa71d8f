import { Button } from '@mantine/core'
import { requestIdOf } from '../api/error.ts'
import { refused } from '../api/refusals.ts'
import { RequestId } from './RequestId.tsx'

interface FetchFailedProps {
  /** Sentence of the error catalogue, or the server's message. */
  text: string
  error?: Error | null | undefined
  retry: () => void
}

export function FetchFailed({ text, error, retry }: FetchFailedProps) {
  const requestId = requestIdOf(error)
  return (
    <div className="panel row" role="alert">
      <div>
        <p>{text}</p>
        {requestId !== null && <RequestId id={requestId} />}
      </div>
      <Button
        variant="default"
        size="sm"
        onClick={() => {
          refused.forget()
          retry()
        }}
      >
        Try again
      </Button>
    </div>
  )
}
