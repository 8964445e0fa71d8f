import type { Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import { openDialog, SIZES, takePicture } from './picture.ts'
import { visitScreens } from './screens.ts'
import { expect, type RoleName, test } from './test.ts'

/** Screens that look the same as for another role: only captured in the wide light form. */
const SHARED_SCREENS: Partial<Record<RoleName, RegExp>> = {
  admin: /^\/vm\/(vmdetails|billing|logs)$/,
  superadmin: /^\/(createvm|vm\/(vmdetails|billing|logs|ports|scheduler|restriction))$/,
}

/** `npm run screens -w e2e` captures every screen, for each role. See takePicture for the folders. */
for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${size}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme })
      const picture = (page: Page, name: string) => takePicture(page, `${name}.${size}.${colorScheme}`)
      test('captures the public pages', async ({ page }) => {
        for (const name of ['login', 'forgot', 'sign-in', 'welcome']) {
          await page.goto(`/${name}`)
          await picture(page, name)
        }
      })
      for (const role of ['user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser'] satisfies RoleName[]) {
        test(`captures the screens of ${role}`, async ({ signedIn }) => {
          const page = await signedIn(role)
          await visitScreens(page, async (path) => {
            if (SHARED_SCREENS[role]?.test(path) && (size !== 'wide' || colorScheme !== 'light')) return
            if (/^\/vm\/(ports|scheduler|restriction)$/.test(path)) {
              await navigate(page, `${path}?organization=Acme+Learning&training=Containers+Workshop`)
              await expect(page.getByRole('main').getByText('Loading')).toHaveCount(0)
              if (path !== '/vm/restriction') await expect(page.getByRole('main').getByRole('table')).toBeVisible()
            }
            if (path === '/vm/logs') await selectTerminatedMachine(page)
            if (path === '/vm/billing')
              await expect(page.getByRole('table', { name: 'Lines of the bill' })).toBeVisible()
            if (path === '/ledger/account') {
              await expect(page.getByRole('figure', { name: 'Balance over time' })).toBeVisible()
            }
            await expect(page.getByRole('main').getByText('Loading...')).toHaveCount(0)
            await picture(page, `${role}${path.replaceAll('/', '-').replace(/-$/, '')}`)
          })
        })
      }
      test('captures the permission page', async ({ signedIn }) => {
        const page = await signedIn('user')
        await page.goto('/createvm')
        await expect(page.getByRole('heading', { level: 1, name: 'Permission Error' })).toBeVisible()
        await picture(page, 'permission-error')
      })
      test('captures the remote-access page', async ({ signedIn, context }) => {
        const page = await signedIn('admin')
        await page.goto('/vm/vmdetails?training=Linux+101')
        const opening = context.waitForEvent('page')
        await page
          .getByRole('button', { name: /^Web-based access to /, disabled: false })
          .first()
          .click()
        const tab = await opening
        await tab.setViewportSize(viewport)
        await expect(tab.getByRole('status')).toHaveText(/^Connected as /)
        await tab.keyboard.type('cat README.txt\nls -l /etc\nuname -a; uptime\n')
        await expect(tab.getByRole('region', { name: /^Terminal of / })).toContainText('load average')
        await picture(tab, 'remote')
        await tab.keyboard.type('exit\n')
        await expect(tab.getByRole('alert')).toBeVisible()
        await picture(tab, 'remote-ended')
      })
      test('captures a list of lab users', async ({ signedIn }) => {
        const page = await signedIn('superadmin')
        await page.goto('/sandbox/azure/users')
        await page.getByRole('button', { name: 'Bulk Add' }).click()
        const dialog = page.getByRole('dialog', { name: 'Bulk Add Users' })
        const rows = ['meera,meera@home.test', 'two words,a@home.test', 'kabir,nowhere', 'priya.nair,priya@home.test']
        const list = `username,personalEmail\n${rows.join('\n')}\n`
        const file = { name: 'learners.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }
        await dialog.getByLabel('CSV file').setInputFiles(file)
        await dialog.getByLabel('Duration (days)').fill('5')
        await expect(dialog.getByRole('button', { name: 'Create 1 user' })).toBeVisible()
        await picture(page, 'bulk-users')
      })
      test('captures the order form', async ({ signedIn }) => {
        const page = await signedIn('admin')
        await openDialog(page, '/createvm', 'Ubuntu 24.04 Starter', 'Order VMs')
        await picture(page, 'order-vms')
      })
    })
  }
}

/** Selects a terminated machine, because it has a month of runs. A live machine has only a few minutes. */
async function selectTerminatedMachine(page: Page): Promise<void> {
  const machines = page.getByLabel('Instance', { exact: true })
  const names = await machines.getByRole('option').allInnerTexts()
  await machines.selectOption(names.find((name) => name.startsWith('acme-'))!)
  await expect(page.getByRole('table', { name: /^Runs of acme-/ })).toBeVisible()
}
