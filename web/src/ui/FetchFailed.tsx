import { Button } from '@mantine/core'

interface FetchFailedProps {
  /** The sentence of the error catalogue, or the server's own. */
  text: string
  retry: () => void
}

/** Where something could not be fetched: says so, and offers to ask again. */
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
