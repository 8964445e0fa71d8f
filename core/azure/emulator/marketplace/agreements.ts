import { z } from 'zod'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import type { AzureCloud } from '../cloud.ts'
import { param, versions, type Call, type Operation } from '../arm/operation.ts'
import { readBody } from '../arm/read-body.ts'

const shape = z.looseObject({ properties: z.looseObject({ accepted: z.boolean().optional() }) })

function settingOf(subscription: string, publisher: string, offer: string, plan: string): string {
  return `agreement ${subscription}/${publisher}/${offer}/${plan}`.toLowerCase()
}

export function hasAccepted(
  cloud: AzureCloud,
  subscription: string,
  publisher: string,
  offer: string,
  plan: string,
): boolean {
  return cloud.settings.read(settingOf(subscription, publisher, offer, plan)) === 'accepted'
}

export function agreementOperations(cloud: AzureCloud): Operation[] {
  const common = {
    path: '/subscriptions/:subscription/providers/Microsoft.MarketplaceOrdering/offerTypes/:offerType/publishers/:publisher/offers/:offer/plans/:plan/agreements/current',
    versions: versions.marketplace,
  }
  const view = (call: Call): unknown => {
    const [subscription, publisher, offer, plan] = ['subscription', 'publisher', 'offer', 'plan'].map((name) =>
      param(call, name),
    ) as [string, string, string, string]
    const terms = `https://storelegalterms.blob.core.windows.net/legalterms/${publisher}/${offer}/${plan}.txt`
    return {
      id: call.path,
      name: plan,
      type: 'Microsoft.MarketplaceOrdering/offertypes',
      properties: {
        publisher,
        product: offer,
        plan,
        licenseTextLink: terms,
        privacyPolicyLink: `https://${publisher}.example/privacy`,
        marketplaceTermsLink: 'https://mpcprodsa.blob.core.windows.net/marketplaceterms/3EDEF_MARKETPLACE_TERMS.txt',
        retrieveDatetime: iso(call.now),
        signature: Buffer.from(`${publisher}:${offer}:${plan}`).toString('base64url').toUpperCase(),
        accepted: hasAccepted(cloud, subscription, publisher, offer, plan),
      },
      systemData: {
        createdBy: subscription,
        createdByType: 'ManagedIdentity',
        createdAt: iso(call.now),
        lastModifiedBy: subscription,
        lastModifiedByType: 'ManagedIdentity',
        lastModifiedAt: iso(call.now),
      },
    }
  }
  return [
    {
      ...common,
      name: 'MarketplaceAgreements_Get',
      method: 'GET',
      handle: (call) => ({ status: 200, body: view(call) }),
    },
    {
      ...common,
      name: 'MarketplaceAgreements_Create',
      method: 'PUT',
      handle: (call) => {
        const body = readBody(call, shape)
        const setting = settingOf(
          param(call, 'subscription'),
          param(call, 'publisher'),
          param(call, 'offer'),
          param(call, 'plan'),
        )
        cloud.settings.write(setting, body.properties.accepted === true ? 'accepted' : 'refused')
        return { status: 200, body: view(call) }
      },
    },
  ]
}
