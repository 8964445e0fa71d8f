import type { Offers } from '@trainyard/templates/server/cloud.ts'
import type { CloudDiagnosis } from './cloud-diagnosis.ts'
import { GROUP_ACTIONS, lackAt, MACHINE_ACTIONS, SANDBOX_ACTIONS, SUBSCRIPTION_ACTIONS } from './azure-permissions.ts'
import { type Check, green, greenUnless, notUsed, type Defect } from '@trainyard/platform/server/doctor/check.ts'
import { isClosed, networkPermissionProblems, policyProblems } from './corporate.ts'
import { clockFinding, timed } from '@trainyard/platform/server/doctor/clock.ts'
import type { AzureMachines } from './machines.ts'
import type { AzureNeeds } from './azure-needs.ts'
import { templatesBy, namesOf } from '@trainyard/machines/server/template-needs.ts'

export interface AzureOptions {
  readonly diagnosis: CloudDiagnosis
  readonly cloud: Pick<AzureMachines, 'getOffers' | 'hasAcceptedTerms'>
  readonly settings: { readonly subscriptionId: string; readonly tenantId: string; readonly labDomain: string | null }
  /** IPv4 prefixes from which the portal connects to machines; empty: unknown. */
  readonly egress: readonly string[]
  readonly templates: () => Promise<readonly AzureNeeds[]>
  readonly readable: Check
  readonly needs: readonly Check[]
}

export const UNANSWERED =
  'Try again. If the error persists, check status.azure.com and the outbound network access of this host.'
/** Prefix of the clients if EGRESS_ADDRESSES is not set. Only a default route matches this prefix. */
const ANY_CLIENT = '0.0.0.0/0'
const REGISTERED = ['Microsoft.Compute', 'Microsoft.Network']

export function azureChecks(options: AzureOptions): Check[] {
  const { diagnosis, cloud, settings, egress, templates, readable, needs } = options
  const group = 'Azure'
  const { subscriptionId, tenantId, labDomain } = settings

  const signIn: Check = {
    group,
    name: 'credentials and tenant',
    needs,
    otherwise:
      'Check AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET or the other credential (expired?), and assign the app registration a role on the subscription.',
    unanswered: UNANSWERED,
    async run(signal) {
      const subscription = await diagnosis.subscription(signal)
      const problems: Defect[] = []
      if (subscription.tenantId.toLowerCase() !== tenantId.toLowerCase()) {
        problems.push({
          what: `The subscription belongs to the tenant ${subscription.tenantId}, not ${tenantId}.`,
          todo: 'Set AZURE_TENANT_ID and AZURE_SUBSCRIPTION_ID to a pair that belongs together.',
        })
      }
      if (subscription.state !== 'Enabled') {
        problems.push({
          what: `The subscription is ${subscription.state}.`,
          todo: 'Check it in the Azure portal: it is unpaid, at its spending limit, or cancelled.',
        })
      }
      return greenUnless(problems, `${subscription.name} (${subscriptionId}).`)
    },
  }
  const base = { group, needs: [signIn], otherwise: UNANSWERED }
  const ofTemplates = { ...base, needs: [signIn, readable] }

  const providers: Check = {
    ...ofTemplates,
    name: 'providers registered',
    async run(signal) {
      const plans = (await templates()).some(({ image }) => image.kind === 'marketplace')
      const requested = [...REGISTERED, ...(plans ? ['Microsoft.MarketplaceOrdering'] : [])]
      const states = await Promise.all(
        requested.map(async (each) => ({ each, is: await diagnosis.registration(each, signal) })),
      )
      const problems = states
        .filter(({ is }) => is !== 'Registered')
        .map(({ each, is }) => ({
          what: `${each} is ${is ?? 'unknown'}.`,
          todo: `az provider register --namespace ${each} --wait`,
        }))
      return greenUnless(problems, `${requested.join(', ')}.`)
    },
  }
  const offered = { ...ofTemplates, needs: [signIn, readable, providers] }
  const offers = once((location: string, signal: AbortSignal) => cloud.getOffers(location, signal))

  return [
    signIn,
    {
      ...base,
      name: 'clock',
      async run(signal) {
        const { result, ...when } = await timed(() => diagnosis.subscription(signal))
        return clockFinding("Azure's clock", result.at, when)
      },
    },
    {
      ...ofTemplates,
      name: 'permissions for machines',
      async run(signal) {
        const [all, everywhere] = await Promise.all([templates(), diagnosis.permissions(null, signal)])
        const problems = [lackAt('the subscription', SUBSCRIPTION_ACTIONS, everywhere ?? [])]
        for (const { what: name, of } of templatesBy(all, (template) => template.group)) {
          const permissions = await diagnosis.permissions(name, signal)
          const scope = permissions === null ? 'the subscription, where it will be created' : 'the group'
          const requiredActions = permissions === null ? [...MACHINE_ACTIONS, ...GROUP_ACTIONS] : MACHINE_ACTIONS
          problems.push(lackAt(`${scope} (group ${name} of ${of})`, requiredActions, permissions ?? everywhere ?? []))
        }
        problems.push(await networkPermissionProblems(diagnosis, all, signal))
        return greenUnless(problems.flat(), 'All permissions for machines are granted.')
      },
    },
    {
      ...base,
      name: 'permissions for sandboxes',
      async run(signal) {
        if (labDomain === null) return notUsed('AZURE_LAB_DOMAIN is not set: there are no Azure lab users.')
        const problems = lackAt('the subscription', SANDBOX_ACTIONS, (await diagnosis.permissions(null, signal)) ?? [])
        return greenUnless(problems, 'All permissions for sandboxes are granted.')
      },
    },
    providers,
    {
      ...offered,
      name: 'regions',
      async run(signal) {
        const templateGroups = templatesBy(await templates(), ({ location }) => location)
        const problems = await Promise.all(
          templateGroups.map(async ({ what: location, of }): Promise<Defect[]> =>
            isClosed(await offers(location, signal))
              ? [
                  {
                    what: `The subscription may not use ${location}: ${of}.`,
                    todo: "Choose another location in the template, or ask Azure's support to open the region for the subscription.",
                  },
                ]
              : [],
          ),
        )
        return greenUnless(problems.flat(), `${namesOf(templateGroups.map(({ what }) => what))}.`)
      },
    },
    {
      ...offered,
      name: 'public addresses',
      async run(signal) {
        const templateGroups = templatesBy(
          (await templates()).filter(({ isPrivate }) => !isPrivate),
          ({ location }) => location,
        )
        const problems = await Promise.all(
          templateGroups.map(async ({ what: location, of }): Promise<Defect[]> => {
            const limit = await diagnosis.publicAddresses(location, signal)
            if (limit === null || limit.used < limit.allowed) return []
            return [
              {
                what: `${limit.used} of ${limit.allowed} public addresses are used in ${location}: ${of}.`,
                todo: `Request an increase in the Azure portal (Quotas, Networking, ${location}), delete unused addresses, or let the templates use a private network.`,
              },
            ]
          }),
        )
        return greenUnless(problems.flat(), 'The limits allow another public address in each region.')
      },
    },
    {
      ...offered,
      name: 'policies',
      limit: 60_000,
      otherwise:
        'Assign the app registration a role with Microsoft.PolicyInsights/checkPolicyRestrictions/read, such as Contributor, and run az provider register --namespace Microsoft.PolicyInsights.',
      unanswered: UNANSWERED,
      async run(signal) {
        const examples = (await templates()).flatMap(({ name, examples: all }) => all.map((spec) => ({ name, spec })))
        const groups = Map.groupBy(examples, ({ spec }) => JSON.stringify(spec))
        const problems: Defect[] = []
        for (const each of groups.values()) {
          const of = namesOf(each.map(({ name }) => name))
          problems.push(...(await policyProblems(diagnosis, each[0]!.spec, of, signal)))
        }
        return greenUnless(problems, 'No policy denies a machine of the templates.')
      },
    },
    {
      ...offered,
      name: 'sizes',
      async run(signal) {
        const templateGroups = templatesBy(await templates(), ({ location, size }) => ({ location, size }))
        const problems = await Promise.all(
          templateGroups.map(async ({ what: { location, size }, of }): Promise<Defect[]> => {
            const found = sizeIn(await offers(location, signal), size)
            if (found?.withheld === null) return []
            const reason = found === undefined ? 'is not offered' : `is not available (${found.withheld})`
            return [
              {
                what: `${size} ${reason} in ${location}: ${of}.`,
                todo: 'Recreate the template with another size or region, or request the size from Azure support.',
              },
            ]
          }),
        )
        return greenUnless(problems.flat(), `${templateGroups.length} sizes are available in their regions.`)
      },
    },
    {
      ...offered,
      name: 'quotas',
      async run(signal) {
        const templateGroups = templatesBy(await templates(), ({ location, size }) => ({ location, size }))
        const problems = await Promise.all(
          templateGroups.map(async ({ what: { location, size }, of }) =>
            lackOfCores(await offers(location, signal), { location, size, of }),
          ),
        )
        return greenUnless(problems.flat(), 'The quotas allow another machine of each template.')
      },
    },
    {
      ...offered,
      name: 'marketplace terms',
      async run(signal) {
        const plans = templatesBy(await templates(), ({ image }) =>
          image.kind === 'marketplace' ? image.plan : null,
        ).filter(({ what }) => what !== null)
        if (plans.length === 0) return notUsed('No template has a marketplace plan.')
        const problems = await Promise.all(
          plans.map(async ({ what: plan, of }): Promise<Defect[]> =>
            plan === null || (await cloud.hasAcceptedTerms(plan, signal))
              ? []
              : [
                  {
                    what: `The terms of ${plan.publisher}:${plan.product}:${plan.name} are not accepted: ${of}.`,
                    todo: `az vm image terms accept --publisher ${plan.publisher} --offer ${plan.product} --plan ${plan.name}`,
                  },
                ],
          ),
        )
        return greenUnless(problems.flat(), `The terms of ${plans.length} plans are accepted.`)
      },
    },
    {
      ...offered,
      name: 'images',
      async run(signal) {
        const templateGroups = templatesBy(await templates(), ({ image, location }) => ({ image, location }))
        const problems = await Promise.all(
          templateGroups.map(async ({ what: { image, location }, of }): Promise<Defect[]> =>
            (await diagnosis.hasImage(image, location, signal))
              ? []
              : [
                  {
                    what: `There is no image ${nameOf(image)} in ${location}: ${of}.`,
                    todo: 'Recreate the template with an image of az vm image list --all, or with an image that is in its region.',
                  },
                ],
          ),
        )
        return greenUnless(problems.flat(), `${templateGroups.length} images are available in their regions.`)
      },
    },
    {
      ...offered,
      name: 'groups and networks',
      async run(signal) {
        const templateGroups = templatesBy(await templates(), ({ group, network, location, isPrivate }) => ({
          group,
          network,
          location,
          isPrivate,
        }))
        const problems = await Promise.all(templateGroups.map(({ what, of }) => misplaced(diagnosis, what, of, signal)))
        return greenUnless(problems.flat(), 'They are in their regions or will be created with the first machine.')
      },
    },
    {
      ...offered,
      name: 'route tables',
      otherwise:
        'Assign the app registration a role with Microsoft.Network/routeTables/read on the route table, such as Reader.',
      unanswered: UNANSWERED,
      async run(signal) {
        const publicTemplates = (await templates()).filter(({ isPrivate }) => !isPrivate)
        const templateGroups = templatesBy(publicTemplates, ({ group, network }) => ({ group, network }))
        const clients = egress.length === 0 ? [ANY_CLIENT] : egress
        const problems = await Promise.all(
          templateGroups.map(async ({ what: { group, network }, of }): Promise<Defect[]> => {
            const routes = await diagnosis.asymmetricRoutes(group, network, clients, signal)
            return routes.map(({ subnet, routeTable, route, nextHop, client }) => ({
              what: `The route ${route} of the route table ${routeTable} sends replies to ${client} to ${nextHop}, so machines in the subnet ${subnet} will run, but not answer: ${of}.`,
              todo: `Add a route to the table that sends ${client} to Internet, allow these replies in the firewall, or let the templates use a private network.`,
            }))
          }),
        )
        return greenUnless(problems.flat(), 'No route sends replies to the portal elsewhere.')
      },
    },
    {
      ...ofTemplates,
      name: 'templates',
      async run() {
        const all = await templates()
        return all.length === 0
          ? notUsed('There are no templates yet.')
          : green(`${all.length}: ${namesOf(all.map(({ name }) => name))}.`)
      },
    },
  ]
}

const sizeIn = ({ sizes }: Offers, size: string) => sizes.find((each) => each.size.toLowerCase() === size.toLowerCase())

function lackOfCores(
  offers: Offers,
  { location, size, of }: { readonly location: string; readonly size: string; readonly of: string },
): Defect[] {
  const found = sizeIn(offers, size)
  if (found === undefined) return []
  return offers.limits
    .filter(({ family }) => [found.family.toLowerCase(), 'cores'].includes(family.toLowerCase()))
    .filter(({ used, allowed }) => allowed - used < found.cores)
    .map(({ family, used, allowed }) => ({
      what: `${used} of ${allowed} ${family === 'cores' ? 'cores of the region' : `cores of ${family}`} are used in ${location}; ${size} needs ${found.cores}: ${of}.`,
      todo: `Request an increase in the Azure portal (Quotas, Compute, ${location}).`,
    }))
}

async function misplaced(
  diagnosis: CloudDiagnosis,
  {
    group,
    network,
    location,
    isPrivate,
  }: { readonly group: string; readonly network: string; readonly location: string; readonly isPrivate: boolean },
  of: string,
  signal: AbortSignal,
): Promise<Defect[]> {
  const isTheirs = network.startsWith('/')
  const isKnown = isTheirs || (await diagnosis.group(group, signal)) !== null
  const existing = isKnown ? await diagnosis.network(group, network, signal) : null
  if (existing === null) {
    if (!isPrivate && !isTheirs) return []
    return [
      {
        what: `The network ${network} of ${of} does not exist. Machines with private addresses, and networks entered by their resource ID, need an existing network.`,
        todo: 'Create it in Azure, where the gateway or the peering reaches it, or enter its name and resource group in the VM card.',
      },
    ]
  }
  if (existing.location.toLowerCase() !== location.toLowerCase()) {
    return [
      {
        what: `The network ${network} in ${group} is in ${existing.location}, but the machines of ${of} will be in ${location}.`,
        todo: 'Recreate the template with a network in its region, or with an unused name: then the network is created.',
      },
    ]
  }
  return existing.subnets > 0
    ? []
    : [
        {
          what: `The network ${network} in ${group} has no subnet for machines: ${of}.`,
          todo: `az network vnet subnet create --resource-group ${group} --vnet-name ${network} --name default --address-prefixes 10.0.0.0/16`,
        },
      ]
}

const nameOf = (image: AzureNeeds['image']): string =>
  image.kind === 'own' ? image.id : [image.publisher, image.offer, image.sku, image.version].join(':')

function once<T>(query: (key: string, signal: AbortSignal) => Promise<T>) {
  const cache = new Map<string, Promise<T>>()
  return (key: string, signal: AbortSignal): Promise<T> => {
    const cached = cache.get(key) ?? query(key, signal)
    cache.set(key, cached)
    return cached
  }
}
