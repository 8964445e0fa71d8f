import { awsPart } from '@trainyard/emulator/aws/part.ts'
import { labServicesPart } from '@trainyard/emulator/azure/lab-services/part.ts'
import { azurePart } from '@trainyard/emulator/azure/part.ts'
import { type Emulator, type EmulatorOptions, runEmulator } from '@trainyard/emulator/emulator.ts'
import { lmsPart } from '@trainyard/emulator/lti/part.ts'
import { signInPart } from '@trainyard/emulator/openid/part.ts'
import type { Part } from '@trainyard/emulator/part.ts'
import { paymentPart } from '@trainyard/emulator/razorpay/part.ts'
import { directoryPart } from '@trainyard/emulator/scim/part.ts'
import { remotePart } from '@trainyard/emulator/ssh/part.ts'
import { webhookPart } from '@trainyard/emulator/webhooks/part.ts'

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
