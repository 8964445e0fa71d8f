import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'

/** Next steps after a refusal, by status. The other messages contain them. */
const NEXT_STEPS: Readonly<Record<number, string>> = {
  403: 'Ask an admin of your organisation.',
  404: 'The class was refreshed: check who is in it.',
  409: 'The class was refreshed: check the state of the machine, then try again.',
}

/** Runs an action of a class. A refusal says what to do next, and the class is refetched, because it has changed. */
export const useClassAction = <Input = void, Reply extends { readonly message: string } = { readonly message: string }>(
  call: (input: Input) => Promise<Reply>,
  onDone?: (reply: Reply, input: Input) => void,
) =>
  useAction(call, {
    invalidates: ['classroom'],
    refetchesOnFailure: true,
    onDone,
    onFailed(error) {
      const next = error instanceof ApiError ? NEXT_STEPS[error.status] : undefined
      notify.alert(next === undefined ? error.message : `${error.message} ${next}`, error)
    },
  })
