import { awsPart } from '@trainyard/sandbox-aws/emulator/part.ts'
import { labServicesPart } from '@trainyard/als-import/emulator/lab-services/part.ts'
import { azurePart } from '@trainyard/azure/emulator/part.ts'
import { type Emulator, type EmulatorOptions, runEmulator } from '@trainyard/platform/emulator/emulator.ts'
import { lmsPart } from '@trainyard/lti/emulator/part.ts'
import { signInPart } from '@trainyard/sso/emulator/part.ts'
import type { Part } from '@trainyard/platform/emulator/part.ts'
import { paymentPart } from '@trainyard/payments/emulator/part.ts'
import { directoryPart } from '@trainyard/scim/emulator/part.ts'
import { remotePart } from '@trainyard/remote-access/emulator/part.ts'
import { webhookPart } from '@trainyard/webhooks/emulator/part.ts'

/** The parts of the emulator, in the order of their pages. */
const PARTS: readonly Part[] = [
  azurePart,
  awsPart,
  paymentPart,
  remotePart,
  signInPart,
  lmsPart,
  labServicesPart,
  webhookPart,
  directoryPart,
]

export const startEmulator = (options: EmulatorOptions): Promise<Emulator> => runEmulator(PARTS, options)
