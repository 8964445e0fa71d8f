import { Refusal } from '#src/azure/arm/refusal.ts'

/** A refusal of the network's provider: it always has a list of details, empty where there are none. */
export function networkRefusal(status: number, code: string, message: string): Refusal {
  return new Refusal(status, code, message, { details: [] })
}
