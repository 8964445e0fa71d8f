import { useAction } from '@trainyard/platform/web/api/useAction.ts'

export const useClassAction = <Input = void, Reply extends { readonly message: string } = { readonly message: string }>(
  call: (input: Input) => Promise<Reply>,
  onDone?: (reply: Reply) => void,
) => useAction(call, { invalidates: ['classroom'], onDone })
