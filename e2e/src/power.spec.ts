import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, test } from './test.ts'

const CONSOLE = '/vm/vmdetails?training=Linux+101'

test('the three selection buttons and the power buttons follow their rules', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/vmdetails')
  const select = page.getByRole('group', { name: 'Select', exact: true })
  const power = page.getByRole('group', { name: 'With the selected instances' })
  await expect(page.getByText('Please select a training from the sidebar.').first()).toBeVisible()
  for (const name of ['Bulk Select', 'Active Instances', 'Inactive Instances'])
    await expect(select.getByRole('button', { name, exact: true })).toBeDisabled()

  await navigate(page, CONSOLE)
  const cards = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(cards.first()).toContainText(/Running|Stopped/)
  for (const name of ['Power On', 'Power Off']) {
    await expect(power.getByRole('button', { name })).toBeDisabled()
    await expect(power.getByRole('button', { name })).toHaveAccessibleDescription('No VMs selected')
  }

  const count = await cards.count()
  await select.getByRole('button', { name: 'Bulk Select' }).click()
  await expect(page.getByText(`${count} of ${count} selected`)).toBeVisible()
  await select.getByRole('button', { name: 'Bulk Select' }).click()
  await expect(page.getByText(/^\d+ instances?, \d+ running$/)).toBeVisible()

  const first = cards.first()
  const name = await first.getByRole('heading').innerText()
  if (await first.getByRole('button', { name: `Power On ${name}` }).isVisible())
    await first.getByRole('button', { name: `Power On ${name}` }).click()
  await expect(first).toContainText('Running')
  await page.getByLabel(`Select ${name}`).check()
  await power.getByRole('button', { name: 'Power On' }).click()
  await expect(page.getByText('One or more selected VMs are already running')).toBeVisible()

  await power.getByRole('button', { name: 'Power Off' }).click()
  await expect(first).toContainText('Stopped')
  await power.getByRole('button', { name: 'Power Off' }).click()
  await expect(page.getByText('One or more selected VMs are not running')).toBeVisible()
})

test(
  'shows a power-off command as pending until it is answered, whatever other updates arrive',
  { tag: '@storm' },
  async ({ signedIn, newPageAs }) => {
    const page = await signedIn('admin', CONSOLE)
    const adminPage = await newPageAs(DEMO_USERS.admin, CONSOLE)
    const [card, otherCard] = [page, adminPage].map((each) =>
      each.getByRole('list', { name: 'Instances' }).getByRole('listitem').first(),
    )
    await expect(card!).toContainText(/Running|Stopped/)
    const name = await card!.getByRole('heading').innerText()
    const powerOn = card!.getByRole('button', { name: `Power On ${name}` })
    if (await powerOn.isVisible()) await powerOn.click()
    await expect(card!).toContainText('Running')
    await expect(otherCard!).toContainText('Running')

    const release = Promise.withResolvers<void>()
    await page.route('**/api/azure/machines', async (route) => {
      if (route.request().method() === 'PATCH') await release.promise
      await route.continue()
    })
    await card!.getByRole('button', { name: `Power Off ${name}` }).click()
    await expect(card!).toContainText('Stopping')
    await adminPage.getByLabel(`Select ${name}`).check()
    await adminPage
      .getByRole('group', { name: 'With the selected instances' })
      .getByRole('button', { name: 'Restart' })
      .click()
    await expect(adminPage.getByRole('status').filter({ hasText: 'Restart' })).toBeVisible()
    await expect(otherCard!).toContainText('Running')
    await expect(card!).toContainText('Stopping')
    release.resolve()
    await expect(card!).toContainText('Stopped')
  },
)

test('powers a machine by keyboard only', async ({ signedIn }) => {
  const page = await signedIn('user', CONSOLE)
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await expect(card).toContainText(/Running|Stopped/)
  const runs = (await card.innerText()).includes('Running')
  const button = card.getByRole('button', { name: runs ? /^Power Off / : /^Power On / })
  for (let tabs = 0; tabs < 60 && !(await button.evaluate((element) => element.matches(':focus'))); tabs += 1)
    await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card).toContainText(runs ? 'Stopped' : 'Running')
})
