import { expect, test } from './test.ts'

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
