import type { Locator } from '@playwright/test'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'
import { tintOf } from './tint.ts'

test('the order form accepts e-mails on Enter, comma, space, Tab and blur; invalid ones are red and left out', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  await navigate(page, '/createvm')
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  for (const label of ['Training Name', 'Allocated Hours', 'Browser Based VM Access'])
    await expect(form.getByLabel(label)).toBeVisible()
  await expect(form).toContainText('5 rupees extra an hour for each VM.')
  const field = form.getByRole('textbox', { name: 'Email IDs' })
  const chips = form.getByRole('list', { name: 'Email IDs added' }).getByRole('listitem')
  const keys = ['Enter', ',', ' ', 'Tab']
  for (const [index, key] of keys.entries()) {
    await field.fill(`learner${index}@acme.test`)
    await field.press(key)
    await expect(chips).toHaveCount(index + 1)
  }
  await field.fill('a_b-c.d@acme.museum')
  await field.blur()
  await field.fill('plus+sign@acme.test long@acme.academies')
  await field.press('Enter')
  await expect(chips).toHaveCount(7)
  const invalid = ['plus+sign@acme.test', 'long@acme.academies']
  for (const email of invalid) {
    await expect(form.getByRole('button', { name: `Remove ${email}, which is invalid` })).toBeVisible()
    expect((await tintOf(chips.getByText(email))).red).toBeGreaterThan(20)
  }
  expect((await tintOf(chips.first().getByText('learner0'))).red).toBeLessThan(20)
  await form.getByLabel('Training Name').fill('Not ordered')
  await form.getByRole('button', { name: 'Submit' }).click()
  const question = page.getByRole('dialog', { name: 'Create VMs' })
  await expect(question).toContainText('5 VMs of Ubuntu 24.04 Starter will be created')
  await expect(question.getByRole('button', { name: 'Create 5 VMs' })).toBeVisible()
})

test('the e-mail field shows one focus ring: around the field, or around one of its chips', async ({ signedIn }) => {
  const page = await signedIn('admin', '/createvm')
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  const field = form.getByRole('textbox', { name: 'Email IDs' })
  const ringsAround = (focused: Locator) =>
    focused.evaluate((element) => {
      const ancestors: Element[] = []
      for (let each: Element | null = element; each !== null; each = each.parentElement) ancestors.push(each)
      return ancestors.filter((each) => getComputedStyle(each).outlineStyle === 'solid').length
    })
  await field.fill('learner@acme.test')
  await field.press('Enter')
  await expect(field).toBeFocused()
  expect(await ringsAround(field)).toBe(1)
  await field.press('ArrowLeft')
  const addressChip = form.getByRole('button', { name: 'Remove learner@acme.test' })
  await expect(addressChip).toBeFocused()
  expect(await ringsAround(addressChip)).toBe(1)
})

test('an alert of the Scheduler disappears when its cause is corrected', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/ready?training=Linux+101')
  const alert = page.getByRole('alert')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(alert).toHaveText('Choose a date and a time.')
  await page.getByLabel('Ready at').fill('09:30')
  await expect(alert).toHaveCount(0)
  await page.getByRole('link', { name: 'Schedules' }).click()
  await page.getByRole('button', { name: 'New Scheduled Event' }).click()
  await page.getByRole('button', { name: 'Schedule Operation' }).click()
  await expect(alert).toHaveText('Please select at least one date and time')
  await page.getByLabel('Trigger Time').fill('09:30')
  await expect(alert).toHaveCount(0)
  await page.getByRole('button', { name: 'Schedule All' }).click()
  await expect(alert).toHaveText('No schedules to submit')
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByRole('button', { name: /^15 / }).click()
  await expect(alert).toHaveCount(0)
})

test('the forms of the System Admin Panel have the specified fields and choices', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await navigate(page, '/overview')
  const form = page.getByRole('dialog')
  const choices = (label: string) => form.getByLabel(label, { exact: true }).getByRole('option')
  await page.getByRole('button', { name: 'Create VM Card' }).click()
  await form.getByLabel('Official image').check()
  const texts = ['Template Name', 'Rate', 'Resource Group', 'Image ID', 'Location', 'VNet', 'CPU', 'Memory', 'Storage']
  for (const label of [...texts, 'Plan Publisher', 'Product', 'Version'])
    await expect(form.getByLabel(label)).toBeVisible()
  await expect(form.getByLabel('Disk', { exact: true })).toBeVisible()
  await expect(choices('VM Size')).toHaveText([
    'Standard_DS1_v2',
    'Standard_D2s_v3',
    'Standard_D4s_v3',
    'Standard_D8s_v3',
    'Standard_DS3_v2',
    'Standard_D4s_v4',
    'Standard_D8s_v4',
    'Standard_D16ds_v4',
  ])
  await form.getByLabel('Another size').check()
  await form.getByLabel('Other VM Size').fill('Standard_E4s_v5')
  await form.getByLabel('Another size').uncheck()
  await expect(form.getByLabel('VM Size', { exact: true })).toHaveValue('Standard_DS1_v2')
  await expect(choices('OS')).toHaveText(['Windows', 'Linux'])
  await expect(choices('Licence')).toHaveText(['Windows_Server', 'none'])
  await expect(form.getByLabel('Licence')).toHaveValue('none')
  await form.getByRole('button', { name: 'Cancel' }).click()

  let sent = 0
  await page.route('**/api/admin/*', (route) => {
    if (route.request().method() === 'POST') sent += 1
    return route.continue()
  })
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(choices('User Type')).toHaveText(['user', 'admin', 'superadmin'])
  await expect(form.getByLabel('User Type')).toHaveValue('admin')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('Select an organisation.')).toBeVisible()
  await expect(form.getByLabel('Email')).toBeFocused()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Create Organization' }).click()
  await form.getByRole('textbox').fill('   ')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('Enter a name.')).toBeVisible()
  expect(sent).toBe(0)
})
