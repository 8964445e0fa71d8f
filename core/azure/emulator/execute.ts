import type { AzureCloud } from './cloud.ts'
import type { Clock } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'

interface Operation<Call, Answer> {
  readonly method: string
  handle(call: Call): Answer
}

/** Under `doneLate`, runs the call when it is due. Returns undefined if the caller must receive no reply. */
export function execute<Call extends { readonly now: number }, Answer>(
  { cloud, clock }: { readonly cloud: AzureCloud; readonly clock: Clock },
  fault: Fault | undefined,
  operation: Operation<Call, Answer>,
  call: Call,
): Answer | undefined {
  if (fault?.kind === 'doneLate') {
    const runLater = () => void handle(cloud, operation, { ...call, now: clock.now() })
    cloud.late.add(call.now + fault.seconds * 1000, runLater)
    return undefined
  }
  const answer = handle(cloud, operation, call)
  return fault?.kind === 'loseReply' ? undefined : answer
}

/** A call that may change something runs in one transaction, which also writes the call counts. */
function handle<Call, Answer>(cloud: AzureCloud, operation: Operation<Call, Answer>, call: Call): Answer {
  if (operation.method === 'GET' || operation.method === 'HEAD') return operation.handle(call)
  return cloud.database.transaction(() => {
    const answer = operation.handle(call)
    cloud.calls.write()
    return answer
  })
}
