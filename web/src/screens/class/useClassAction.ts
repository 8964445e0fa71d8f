import { useAction } from '#src/api/useAction.ts'

/** Returns an action that makes a class call and refetches the class. */
export const useClassAction = <Input = void>(
  call: (input: Input) => Promise<{ readonly message: string }>,
  onDone?: () => void,
) => useAction(call, { invalidates: ['classroom'], onDone })
