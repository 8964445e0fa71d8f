import type { HttpClient } from '@azure/core-rest-pipeline'
import { emulatorCredential } from '../src/providers/azure/credentials.ts'
import { azureSandboxes } from '../src/providers/azure-sandbox/groups.ts'
import { graphIdentity } from '../src/providers/graph/identity.ts'
import type { AzureLabs } from '../src/worker/parts.ts'

/** What stands between the adapters and the wire: sees what goes to Azure and to Graph. */
export interface LabWire {
  readonly http?: (wire: HttpClient) => HttpClient
  readonly send?: typeof fetch
}

/** Entra and Azure at an emulator. */
export function testAzureLabs(emulatorUrl: string, { http, send }: LabWire = {}): AzureLabs {
  const credential = emulatorCredential()
  return {
    identity: graphIdentity({ credential, emulatorUrl, ...(send === undefined ? {} : { send }) }),
    groups: azureSandboxes({
      subscriptionId: '00000000-0000-4000-8000-000000000001',
      credential,
      emulatorUrl,
      ...(http === undefined ? {} : { http }),
    }),
  }
}
