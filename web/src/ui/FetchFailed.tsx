import { Button } from '@mantine/core'
import { traceOf } from '#src/api/error.ts'
import { Trace } from './Trace.tsx'

interface FetchFailedProps {
  /** The sentence of the error catalogue, or the server's own. */
  text: string
  /** The failure, whose trace is shown where it was a call's. */
  error?: Error | null | undefined
  retry: () => void
}

/** In place of data that could not be fetched: the sentence, and a button to try again. */
export function FetchFailed({ text, error, retry }: FetchFailedProps) {
  const trace = traceOf(error)
  return (
    <div className="panel row" role="alert">
      <div>
        <p>{text}</p>
        {trace !== null && <Trace id={trace} />}
      </div>
      <Button variant="default" size="sm" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
