import { DEMO_USERS, expect, test } from './test.ts'
import { orderTraining } from './training.ts'

test('the sidebar shows its groups and pickers, and its footer the e-mail, access level, organisation, version and Logout', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const aside = page.getByRole('complementary')
  for (const group of ['Instance Overview', 'Sandboxes'])
    await expect(aside.getByRole('heading', { name: group, exact: true })).toBeVisible()
  const footer = aside.getByRole('contentinfo').or(aside.locator('footer'))
  const { version } = (await (await page.request.get('/api/health')).json()) as { version: string }
  for (const text of [DEMO_USERS.superadmin, 'superadmin', 'Unknown', `Version ${version}`])
    await expect(footer.getByText(text, { exact: true })).toBeVisible()
  await expect(footer.getByRole('link', { name: 'Logout' })).toBeVisible()
  await aside.getByLabel('Choose Customer').selectOption('Acme Learning')
  await aside.getByLabel('Choose Lab Module').selectOption('Linux 101')
  await expect(page).toHaveURL(/organization=Acme\+Learning&training=Linux\+101$/)
  await aside.getByLabel('Choose Customer').selectOption('Globex Academy')
  await expect(aside.getByLabel('Choose Lab Module')).toHaveValue('')
  const modules = aside.getByLabel('Choose Lab Module').getByRole('option')
  await expect(modules.filter({ hasText: 'Linux 101' })).toHaveCount(1)
  await expect(modules.filter({ hasText: 'Containers Workshop' })).toHaveCount(0)
})

test('the sidebar shows the organisation’s logo, or the portal’s own', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const header = page.getByRole('complementary').getByText('Trainyard', { exact: true }).locator('..')
  await expect(header.locator('svg')).toBeVisible()
  await page.route('**/api/user/me', async (route) => {
    const user = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...user, logo: '/favicon.svg' } })
  })
  await page.reload()
  await expect(header.locator('img')).toHaveAttribute('src', '/favicon.svg')
  await expect(header.locator('svg')).toHaveCount(0)
})

test('on a phone, the menu closes on the choice of a lab module or of the screen that is shown', async ({
  signedIn,
}) => {
  const page = await signedIn('user')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/api/user/me', async (route) => {
    const user = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...user, instructorOf: ['Containers Workshop'] } })
  })
  await page.reload()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await expect(menu.getByText('Instructor of Containers Workshop')).toBeVisible()
  await menu.getByLabel('Choose Lab Module').selectOption('Linux 101')
  await expect(menu).toHaveCount(0)
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await menu.getByRole('link', { name: 'Home' }).click()
  await expect(menu).toHaveCount(0)
})

test('on a phone, a message leaves the controls of the top bar free, also at 200 % zoom of a laptop', async ({
  signedIn,
}) => {
  const page = await signedIn('user', '/account')
  const name = page.getByLabel('Your name')
  const save = page.getByRole('button', { name: 'Save Name' })
  const bar = page.getByRole('banner')
  for (const [width, entered] of [
    [390, 'Phone'],
    [683, 'Laptop'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await name.fill(entered)
    await save.click()
    await expect(page.getByRole('status').filter({ hasText: 'name' })).toBeVisible()
    for (const button of await bar.getByRole('button').all()) await button.click({ trial: true, timeout: 2_000 })
    await page.getByRole('button', { name: 'Close this message' }).click()
  }
})

test('the sidebar shows the active entry clear of its ends, and starts at the top without one', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin', '/admin/supplier')
  const menu = page.getByRole('navigation', { name: 'Screens' })
  const entry = menu.getByRole('link', { name: 'Supplier Settings' })
  await expect(entry).toBeInViewport({ ratio: 1 })
  const bottom = async (part: typeof menu) => part.boundingBox().then((box) => box!.y + box!.height)
  expect((await bottom(menu)) - (await bottom(entry))).toBeGreaterThan(8)
  await page.getByRole('link', { name: 'Account Security' }).click()
  await expect.poll(() => menu.evaluate((element) => element.scrollTop)).toBe(0)
})

test('the header of a training follows its machines without a reload', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await orderTraining(page, 'Header', ['header@acme.test'])
  await page.goto('/vm/ports?training=Header')
  const header = page.getByRole('article').locator('> header')
  await expect(header).toContainText('1 machine, 1 running')
  const listed = await page.request.get('/api/azure/machines', { params: { trainingName: 'Header' } })
  const machines = (await listed.json()) as { name: string; resourceGroup: string }[]
  const stopped = await page.request.patch('/api/azure/machines', {
    headers: { origin: new URL(page.url()).origin },
    data: [{ operation: 0 }, ...machines.map(({ name, resourceGroup }) => ({ name, resourceGroup }))],
  })
  expect(stopped.ok(), await stopped.text()).toBe(true)
  // Before the next poll, which comes after a minute.
  await expect(header).toContainText('1 machine, 0 running', { timeout: 30_000 })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  test('the header of a training is at most 140 px high and loses nothing', async ({ signedIn }) => {
    const page = await signedIn('admin')
    for (const path of ['vmdetails', 'class', 'attendance', 'scheduler', 'restriction', 'billing', 'logs', 'ports']) {
      await page.goto(`/vm/${path}?training=Containers+Workshop`)
      const header = page.getByRole('article').locator('> header')
      for (const text of [/Closed until|Open until/, '2 machines', 'so far']) await expect(header).toContainText(text)
      await expect(page.getByRole('banner')).toContainText(
        await page
          .getByRole('heading', { level: 1 })
          .innerText()
          .then((name) => name.split(',')[0]!),
      )
      expect((await header.boundingBox())!.height, path).toBeLessThanOrEqual(140)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
    }
  })
})

test('a secondary button has a border that stands out from the page, in both colour schemes', async ({ signedIn }) => {
  const page = await signedIn('admin', '/ledger/account')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const contrast = await page.getByRole('button', { name: 'Print statement' }).evaluate((button) => {
      const luminance = (colour: string) => {
        const [red, green, blue] = colour.match(/\d+/g)!.map((part) => {
          const share = Number(part) / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
      }
      const [edge, page] = [
        getComputedStyle(button).borderTopColor,
        getComputedStyle(document.body).backgroundColor,
      ].map(luminance)
      return (Math.max(edge!, page!) + 0.05) / (Math.min(edge!, page!) + 0.05)
    })
    expect(contrast, colorScheme).toBeGreaterThanOrEqual(3)
  }
})
