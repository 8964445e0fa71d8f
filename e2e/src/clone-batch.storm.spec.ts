import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'
import { orderTraining } from './training.ts'

test('orders the last batch of a training again for other learners', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await orderTraining(page, 'Second intake', ['first@acme.test'])
  await navigate(page, '/createvm')
  const clone = page.getByRole('button', { name: 'Clone last batch' })
  await expect(page.getByRole('button', { name: 'Ubuntu 24.04 Starter' })).toBeVisible()
  await expect(clone).toHaveCount(0)
  await navigate(page, '/createvm?training=Second+intake')
  await clone.click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  await expect(form).toContainText('Ubuntu 24.04 Starter')
  await expect(form.getByLabel('Training Name')).toHaveValue('Second intake')
  await expect(form.getByLabel('Allocated Hours')).toHaveValue('10')
  await expect(form.getByLabel('Browser Based VM Access')).not.toBeChecked()
  await expect(form.getByRole('button', { name: /^Remove/ })).toHaveCount(0)
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()

  await clone.click()
  await form.getByRole('textbox', { name: 'Email IDs' }).fill('second@acme.test')
  await form.getByRole('textbox', { name: 'Email IDs' }).press('Enter')
  await form.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('dialog', { name: 'Create VMs' }).getByRole('button', { name: 'Create 1 VM' }).click()
  await form.getByRole('link', { name: 'Watch Second intake in the Virtual Lab Console' }).click()
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem')).toHaveCount(2)
})
