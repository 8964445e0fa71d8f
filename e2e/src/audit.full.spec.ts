import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Audit rows' }).getByRole('row')
const filters = (page: Page) => page.getByRole('search', { name: 'Audit rows' })

test('a superadmin finds a change, reads the values before it, and exports the rows', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/vm/quota?organization=Acme+Learning&training=Linux+101')
  await page.getByLabel('Increase By (hours)').fill('2')
  await page.getByRole('button', { name: 'Increase Quota' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Quota increased by 2 hours' })).toBeVisible()

  await navigate(page, '/admin/audit')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Organisation Settings, Audit')
  await expect(rows(page).filter({ hasText: 'increased a quota' }).first()).toContainText('Acme Learning')
  await filters(page).getByLabel('Action').fill('no such action')
  await filters(page).getByRole('button', { name: 'Search' }).click()
  await expect(filters(page).getByRole('alert')).toHaveText('Choose an action from the list.')
  await filters(page).getByLabel('Action').fill('increased a quota')
  await filters(page).getByLabel('Contains').fill('linux 101')
  await filters(page).getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/call=quota\.increase/)
  await expect(page).toHaveURL(/text=linux/)
  await page.reload()
  await expect(filters(page).getByLabel('Contains')).toHaveValue('linux 101')
  await expect(rows(page)).toHaveCount(2)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])

  await rows(page).last().getByRole('button').click()
  const details = page.getByRole('dialog', { name: 'Audit row' })
  await expect(details.getByRole('table', { name: 'What changed' }).getByRole('row', { name: /minutes/ })).toBeVisible()
  await expect(details.getByLabel('Request')).toContainText('Linux 101')
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.press('Escape')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text.split('\r\n').filter((line) => line.includes('increased a quota'))).toHaveLength(1)
})

test('an admin sees only rows of the own organisation', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.getByRole('link', { name: 'Organisation Settings' }).click()
  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  await expect(rows(page).filter({ hasText: 'admin@acme.test' }).first()).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Organisation' })).toHaveCount(0)
  await filters(page).getByRole('textbox', { name: 'Person' }).fill('nobody@acme.test')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No matching rows.')).toBeVisible()
  await filters(page).getByRole('button', { name: 'Show all' }).click()
  await expect(rows(page).first()).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})
