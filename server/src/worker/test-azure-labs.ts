import type { HttpClient } from '@azure/core-rest-pipeline'
import { emulatorCredential } from '../providers/azure/credentials.ts'
import { azureSandboxes } from '../providers/azure-sandbox/groups.ts'
import { graphIdentity } from '../providers/graph/identity.ts'
import type { AzureLabs } from './azure-labs.ts'

/** Entra and Azure at an emulator; `http` sees what goes to Azure. */
export function testAzureLabs(emulatorUrl: string, http?: (wire: HttpClient) => HttpClient): AzureLabs {
  const credential = emulatorCredential()
  return {
    identity: graphIdentity({ credential, emulatorUrl }),
    groups: azureSandboxes({
      subscriptionId: '00000000-0000-4000-8000-000000000001',
      credential,
      emulatorUrl,
      ...(http === undefined ? {} : { http }),
    }),
  }
}
