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
