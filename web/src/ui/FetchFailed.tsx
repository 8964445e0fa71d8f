import { Button } from '@mantine/core'
import { traceOf } from '#src/api/error.ts'
import { refused } from '#src/api/refusals.ts'
import { Trace } from './Trace.tsx'

interface FetchFailedProps {
  /** Sentence of the error catalogue, or the server's message. */
  text: string
  error?: Error | null | undefined
  retry: () => void
}

export function FetchFailed({ text, error, retry }: FetchFailedProps) {
  const trace = traceOf(error)
  return (
    <div className="panel row" role="alert">
      <div>
        <p>{text}</p>
        {trace !== null && <Trace id={trace} />}
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
