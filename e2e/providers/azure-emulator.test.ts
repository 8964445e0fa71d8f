import { azureEmulator } from './azure-emulator.ts'
import { behavesAsProvider } from './behaviours.ts'

behavesAsProvider(azureEmulator)
