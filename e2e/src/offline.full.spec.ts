import { axeProblems } from './axe.ts'
import { expect, test } from './test.ts'

const CONSOLE = '/vm/vmdetails?training=Linux+101'
const LOST = /^No connection to the portal since \d\d:\d\d\. What you see may be out of date\./

test(
  'a power command without a network shows an error, changes no state on screen, and never takes effect',
  { tag: '@storm' },
  async ({ signedIn, portal }) => {
    const page = await signedIn('admin', CONSOLE)
    const card = page
      .getByRole('list', { name: 'Instances' })
      .getByRole('listitem')
      // Exact match: a machine that is being created has a text with 'is not running'.
      .filter({ has: page.getByText('Running', { exact: true }) })
      .first()
    const name = await card.getByRole('heading').innerText()
    const cardNamed = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()))

    await page.context().setOffline(true)
    await cardNamed.getByRole('button', { name: `Power Off ${name}` }).click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'The portal did not answer. Check your connection and try again.' }),
    ).toBeVisible()
    await expect(cardNamed).toContainText('Running')
    await expect(cardNamed).not.toContainText('Stopping')
    await expect(page.getByRole('status').filter({ hasText: LOST })).toBeVisible()
    const sentBefore = sent.length

    await page.context().setOffline(false)
    await expect(page.getByRole('status').filter({ hasText: LOST })).toBeHidden()
    // Wait for a later call to complete, so that a delayed command would have arrived by now.
    await page.getByRole('button', { name: 'Bulk Select' }).click()
    await page.reload()
    await expect(cardNamed).toContainText('Running')
    expect(sent).toHaveLength(sentBefore)
    const machine = (await portal.machines()).find((each) => each.name === name)
    expect(machine?.power).toBe('running')
  },
)

test(
  'a lost connection is reported once and dims stale data, and a short interruption is not reported',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('admin', CONSOLE)
    const list = page.getByRole('list', { name: 'Instances' })
    await expect(list.getByRole('listitem').first()).toContainText(/Running|Stopped/)
    const bar = page.getByRole('status').filter({ hasText: LOST })
    const section = page.getByRole('region', { name: 'Instances', exact: true })

    // Only the stream is refused; other calls succeed.
    await page.route('**/api/azure/machines/events*', (route) => route.abort())
    await page.reload()
    await expect(list.getByRole('listitem').first()).toContainText(/Running|Stopped/)
    const startedAt = Date.now()
    await expect(bar).toHaveCount(1)
    expect(Date.now() - startedAt).toBeGreaterThan(3_000)
    await expect(section).toHaveCSS('opacity', '0.9')
    expect(await axeProblems(page)).toEqual([])

    await page.unroute('**/api/azure/machines/events*')
    await expect(bar).toBeHidden()
    await expect(section).toHaveCSS('opacity', '1')
  },
)

test('a screen first opened without a network loads automatically once the network is back', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Session Logs' }).click()
  await expect(page).toHaveURL(/\/vm\/logs/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Session Logs')
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading...')
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page).toHaveURL(/\/ledger\/account/)
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account')
  await expect(page.getByRole('button', { name: 'Make a Payment' })).toBeVisible()
})
