import { expect, test } from './test.ts'

test('a machine’s menu works by keyboard, explains disabled entries, and leads to the logs', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/vmdetails?training=Linux+101')
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  const name = await card.getByRole('heading').innerText()
  const button = card.getByRole('button', { name: `More actions for ${name}` })
  const menu = page.getByRole('menu', { name: `More actions for ${name}` })

  await button.focus()
  await page.keyboard.press('Enter')
  await expect(menu.getByRole('menuitem', { name: 'Copy name' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('menuitem', { name: 'Copy address' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()

  await page.route('**/api/azure/machines?*', async (route) => {
    const list = (await (await route.fetch()).json()) as { publicIp: string | null }[]
    await route.fulfill({ json: list.map((machine) => ({ ...machine, publicIp: null })) })
  })
  // The event stream would restore the address.
  await page.route('**/azure/machines/events*', (route) => route.abort())
  await page.reload()
  await button.click()
  const address = menu.getByRole('menuitem', { name: 'Copy address' })
  await expect(address).toBeDisabled()
  await expect(address).toHaveAccessibleDescription(`${name} has no address yet.`)
  await menu.getByRole('menuitem', { name: 'Session Logs' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Session Logs')
  await expect(page.getByRole('heading', { name: `Logs Explorer - ${name}` })).toBeVisible()
  await expect(page.getByLabel('Choose Lab Module')).toHaveValue('Linux 101')
})
