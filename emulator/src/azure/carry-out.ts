import type { AzureCloud } from '#src/azure/cloud.ts'

/**
 * Does what a call of Azure or of Graph asks. What may change something is one transaction; the calls counted since
 * the last one are written with it.
 */
export function carryOut<Call, Answer>(
  cloud: AzureCloud,
  operation: { readonly method: string; handle(call: Call): Answer },
  call: Call,
): Answer {
  if (operation.method === 'GET' || operation.method === 'HEAD') return operation.handle(call)
  return cloud.book.transaction(() => {
    const answer = operation.handle(call)
    cloud.calls.write()
    return answer
  })
}
