import { Button } from '@mantine/core'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useDedupedMutation } from '@trainyard/platform/web/api/useDedupedMutation.ts'

export function TestConnection({ id }: { id: string }) {
  const test = useDedupedMutation({ mutationFn: () => api.lms.test({ id }) })
  const { data } = test
  const problem = data?.problem ?? test.error?.message ?? null
  return (
    <>
      <div className="row">
        <Button variant="default" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Testing...' : 'Test Connection'}
        </Button>
      </div>
      {data !== undefined && data.found.length > 0 && (
        <ul aria-live="polite">
          {data.found.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {problem !== null && <p role="alert">{problem}</p>}
    </>
  )
}
