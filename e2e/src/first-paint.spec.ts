import { expect, test } from './test.ts'

// @covers R21.16
test('paints the frame before scripts and style sheets have loaded, and the application replaces it without layout shift', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  let letCome!: () => void
  const come = new Promise<void>((resolve) => (letCome = resolve))
  await page.route('**/assets/**', async (route) => {
    await come
    await route.continue()
  })
  await page.addInitScript(
    `globalThis.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value })).observe({ type: 'layout-shift', buffered: true })`,
  )
  await page.goto('/vm/vmdetails?training=Linux+101', { waitUntil: 'commit' })
  await expect(page.getByText('Trainyard', { exact: true })).toBeVisible()
  const painted = () => page.evaluate(`performance.getEntriesByName('first-contentful-paint').length`)
  await expect.poll(painted).toBe(1)
  const side = page.locator('.frame-side')
  const before = await side.boundingBox()
  letCome()
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()).toBeVisible()
  await expect(side).toHaveCount(0)
  const after = await page.getByRole('complementary').boundingBox()
  expect([after!.x, after!.width]).toEqual([before!.x, before!.width])
  expect(await page.evaluate('shift')).toBeLessThan(0.01)
})

// @covers R21.16
test('shows names and states of machines before the application has arrived, which uses the same replies', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  const come = Promise.withResolvers<void>()
  await page.route('**/assets/**', (route) => come.promise.then(() => route.continue()))
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/vm/vmdetails?training=Linux+101', { waitUntil: 'commit' })
  const first = page.locator('.frame').getByRole('listitem')
  await expect(first.first()).toContainText(/^linux-\S+(Running|Stopped|Creating|Starting)/)
  const names = await first.locator('span:first-child').allTextContents()
  come.resolve()
  const cards = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(cards.getByRole('heading')).toHaveText(names)
  await expect(first).toHaveCount(0)
  for (const path of ['/api/azure/machines', '/api/user/me'])
    expect(calls.filter((call) => call === path)).toHaveLength(1)
})

test('shows no machines to a session that has ended', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.context().clearCookies()
  await page.evaluate(`localStorage.setItem('uid', 'ended')`)
  await page.goto('/vm/vmdetails?training=Linux+101')
  await expect(page.getByRole('heading', { name: 'Login', exact: true })).toBeVisible()
})
