import { useAction } from '#src/api/useAction.ts'

export const useClassAction = <Input = void>(
  call: (input: Input) => Promise<{ readonly message: string }>,
  onDone?: () => void,
) => useAction(call, { invalidates: ['classroom'], onDone })
