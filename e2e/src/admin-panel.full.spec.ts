import { startPortal } from './portal.ts'
import { expect, test as base } from './test.ts'

/** A portal of this file: its many organisations would hide those of other tests in the same list. */
const test = base.extend<object, object>({
  portal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const portal = await startPortal(0)
      await use(portal)
      await portal.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

test('shows all rows of a long list at once after "Show all"', async ({ signedIn, portal }) => {
  const page = await signedIn('superadmin')
  for (let place = 1; place <= 61; place += 1) {
    const reply = await page.request.post('/api/admin/organization', {
      headers: { origin: portal.url },
      data: { organization: `Branch ${place}` },
    })
    expect(reply.ok(), await reply.text()).toBe(true)
  }
  await page.goto('/overview')
  const list = page.getByRole('region', { name: 'Organisation', exact: true })
  await list.getByRole('button', { name: /^Show all/ }).click()
  await expect(list.getByRole('button', { name: 'Show fewer' })).toBeFocused()
  await expect(list.getByRole('row', { name: /Branch 61/ })).toBeAttached()
  await expect
    .poll(() => list.getByRole('region').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))
    .toBe(0)
})
