import { Button } from '@mantine/core'

interface FetchFailedProps {
  /** The sentence of the error catalogue, or the server's own. */
  text: string
  retry: () => void
}

/** In place of data that could not be fetched: the sentence, and a button to try again. */
export function FetchFailed({ text, retry }: FetchFailedProps) {
  return (
    <div className="panel row" role="alert">
      <p>{text}</p>
      <Button variant="default" size="sm" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
