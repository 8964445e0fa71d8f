import type { Page } from '@playwright/test'
import { exampleFiles } from '@trainyard/guides/test/example-guides.ts'
import foreignGuides from '@trainyard/guides/test/foreign-guides.json' with { type: 'json' }
import { packOf, repositoryOf, startGitServer } from '@trainyard/guides/test/git-server.ts'
import { zipOfFiles } from '@trainyard/guides/server/format/zip-of.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { startPortal } from './portal.ts'
import { waitForPaint } from './screens.ts'
import { expect, test as base } from './test.ts'

/** The portal of this file may fetch from a Git server of the test. */
const test = base.extend<object, { git: Awaited<ReturnType<typeof startGitServer>> }>({
  git: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const git = await startGitServer()
      await use(git)
      await git.stop()
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ git }, use) => {
      const portal = await startPortal(0, () => ({ GUIDE_GIT_PRIVATE_ORIGINS: git.origin }))
      await use(portal)
      await portal.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

/** A picture of one pixel. */
const POINT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const guideOf = (page: Page) => page.getByRole('complementary', { name: 'Guide' })

test('a learner works through a guide beside the terminal, with the keyboard and on a phone', async ({
  signedIn,
  newPageAs,
  context,
}) => {
  const page = await signedIn('user', '/vm/vmdetails?training=Linux+101')
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').filter({ hasText: 'Running' })
  await expect(card.getByRole('button', { name: /^Copy the public address of/ })).toBeVisible()
  const opening = context.waitForEvent('page')
  await card.getByRole('button', { name: /^Web-based access to/ }).click()
  const tab = await opening
  const terminal = tab.getByRole('region', { name: /^Terminal of / })
  await expect(terminal).toContainText('learner@')
  const guide = guideOf(tab)
  /** Resolves once the focus is on the guide, before the terminal opens. */
  const movedFocus = Promise.withResolvers<void>()

  await test.step('the guide starts with what it is about', async () => {
    await expect(guide).toContainText('2 steps · about 10 minutes · 20 points')
    await guide.getByRole('button', { name: 'Start the guide' }).click()
    await expect(guide.getByRole('heading', { level: 2, name: 'Write a note' })).toBeVisible()
  })

  const task = guide.getByRole('region', { name: 'Write the word hello into notes.txt' })
  await test.step('a check says what is missing, by word and in the live region', async () => {
    await task.getByRole('button', { name: /^Check/ }).click()
    await expect(task.getByRole('listitem').first()).toContainText(
      'Not done. There is no file notes.txt in your home directory.',
    )
    await expect(guide.getByRole('status')).toContainText('Not done yet. The file notes.txt exists: Not done.')
    await expectNoAxeProblems(tab, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await tab.setViewportSize({ width: 1366, height: 820 })
  })

  await test.step('code is typed into the terminal after a click, and a hint costs a point', async () => {
    await guide.getByRole('button', { name: 'Run: ls -l' }).click()
    await expect(terminal).toContainText('README.txt')
    await task.getByRole('button', { name: /^Hint \(−1 point\)/ }).click()
    await expect(task.getByRole('list', { name: 'Hints' })).toContainText('writes what a command prints into a file')
  })

  await test.step('the task is done in the terminal, and its points are kept', async () => {
    await terminal.click()
    await tab.keyboard.type('echo hello > notes.txt\n')
    await expect(async () => {
      await task.getByRole('button', { name: /^Check/ }).click()
      await expect(task).toContainText('Done · 14 of 15 points', { timeout: 3_000 })
    }).toPass()
    await expect(guide).toContainText('Step 1 of 2 · 14 of 20 points')
    await tab.route('**/api/remote/ticket', async (route) => {
      await movedFocus.promise
      await route.continue()
    })
    await tab.reload()
    await tab.getByRole('button', { name: 'Connect' }).click()
    await expect(task).toContainText('Done · 14 of 15 points')
  })

  await test.step('the keyboard changes the width, hides and shows the guide and opens the next step', async () => {
    const divider = tab.getByRole('separator', { name: 'Width of the guide' })
    await divider.focus()
    movedFocus.resolve()
    await expect(terminal).toContainText('learner@')
    // The terminal, which opened meanwhile, has not taken the focus.
    await expect(divider).toBeFocused()
    await tab.keyboard.press('ArrowRight')
    await expect(divider).toHaveAttribute('aria-valuenow', '416')
    await tab.keyboard.press('End')
    expect((await guide.boundingBox())!.width).toBe(560)
    await guide.getByRole('button', { name: 'Hide the guide' }).press('Enter')
    await expect(guide).toBeHidden()
    await expect(tab.getByRole('button', { name: 'Show the guide' })).toBeFocused()
    await tab.keyboard.press('Enter')
    await guide.getByRole('button', { name: 'Next' }).press('Enter')
    await expect(guide.getByRole('heading', { level: 2, name: 'Keep it in a folder' })).toBeFocused()
  })

  await test.step('a task is solved for the learner without points, and a question is answered', async () => {
    const folder = guide.getByRole('region', { name: 'Put a copy of the note into the folder work' })
    await folder.getByRole('button', { name: /^Solve for me/ }).click()
    await folder.getByRole('button', { name: /^Solve ?:/ }).click()
    await expect(guide.getByRole('alert')).toBeHidden()
    await expect(folder).toContainText('Solved for you · 0 of 3 points')
    await guide.getByRole('button', { name: 'Run: ls ~ ~/work' }).click()
    await expect(terminal).toContainText('work:')
    await guide.getByLabel('Your home directory').check()
    await guide.getByRole('button', { name: /^Answer/ }).click()
    await expect(guide).toContainText('Correct · 2 of 2 points')
    await expect(guide).toContainText('The shell replaces ~ by the path of your home directory.')
  })

  await test.step('on a phone, the guide and the machine are two tabs', async () => {
    await tab.setViewportSize({ width: 390, height: 800 })
    await expect(guide).toBeVisible()
    await tab.getByRole('button', { name: 'Machine', exact: true }).click()
    await expect(guide).toBeHidden()
    await expect(terminal).toBeVisible()
    await tab.getByRole('button', { name: 'Guide', exact: true }).click()
    await expect(guide).toBeVisible()
  })

  await test.step('an instructor sees each task of each learner, checks again and exports', async () => {
    const staff = await newPageAs('admin@acme.test', '/vm/class?training=Linux+101')
    await expect(staff.getByRole('list', { name: 'Learners' }).getByText('2/2 tasks done')).toBeVisible()
    // Asha has not started, so that nothing else makes her stuck.
    await staff.route('**/api/guides/results?*', async (route) => {
      const reply = await (await route.fetch()).json()
      for (const result of reply.results)
        if (result.email === 'asha@acme.test') result.stuck = { task: 'hello', minutes: 14, reds: 0 }
      await route.fulfill({ json: reply })
    })
    const needs = staff.getByRole('region', { name: 'Needs you' })
    await expect(needs.getByRole('listitem').filter({ hasText: 'asha' })).toContainText('Stuck, 14 min')
    await needs.getByRole('button', { name: /^Help .*asha/i }).click()
    await expect(staff.getByRole('dialog')).toBeVisible()
    await staff.keyboard.press('Escape')
    await staff.unroute('**/api/guides/results?*')
    await staff.getByRole('link', { name: 'First steps in the terminal' }).click()
    await expect(staff.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console, Guide')
    const row = staff.getByRole('row', { name: /^learner@acme\.test/ })
    await expect(row).toContainText('Finished')
    await expect(staff.getByRole('row', { name: /^asha@acme\.test/ })).toContainText('Not started')
    await row.getByRole('button', { name: /^Done: Write the word hello into notes\.txt/ }).click()
    const details = staff.getByRole('complementary', { name: 'learner@acme.test' })
    await expect(details).toContainText('Done · 14 of 15 points')
    await expect(details).toContainText('Hints taken1')
    await tab.setViewportSize({ width: 1366, height: 820 })
    await terminal.click()
    await tab.keyboard.type('rm notes.txt\n')
    await expect(async () => {
      await details.getByRole('button', { name: 'Check again' }).click()
      // The points of a task that was done stay.
      await expect(details).toContainText('There is no file notes.txt in your home directory.', { timeout: 3_000 })
    }).toPass()
    await expect(details).toContainText('Done · 14 of 15 points')
    await details.getByRole('button', { name: 'Close' }).click()
    const file = staff.waitForEvent('download')
    await staff.getByRole('button', { name: 'Export CSV' }).click()
    expect((await file).suggestedFilename()).toBe('Linux 101 first-steps.csv')
    await expectNoAxeProblems(staff, [
      [1440, 'light'],
      [390, 'dark'],
    ])
  })

  await test.step('an instructor hides a step from this training and adds a note to another', async () => {
    const staff = await newPageAs('admin@acme.test', '/vm/guide?training=Linux+101')
    await staff.getByRole('button', { name: 'Steps and notes' }).click()
    const dialog = staff.getByRole('dialog')
    const note = dialog.getByRole('button', { name: 'Add a note to Keep it in a folder' })
    await note.click()
    await dialog.getByLabel('Note to Keep it in a folder').fill('A draft.')
    await dialog.getByRole('button', { name: 'Hide Keep it in a folder' }).click()
    await expect(dialog.getByRole('listitem').nth(1)).toContainText('Hidden')
    await expect(dialog.getByLabel('Note to Keep it in a folder')).toHaveValue('A draft.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(note).toBeFocused()
    await dialog.getByRole('button', { name: 'Add a note to Write a note' }).click()
    await dialog.getByLabel('Note to Write a note').fill('Use **your own name**.')
    await dialog.getByRole('button', { name: 'Save the note' }).click()
    await expect(dialog.getByRole('listitem').nth(0)).toContainText('Use **your own name**.')
    // The learner's page shows it at once.
    await expect(guide.getByRole('region', { name: 'Note from your instructor' })).toContainText('Use your own name.')
    await expect(guide.getByText('Your instructor changed the guide.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Edit the note to Write a note' })).toBeFocused()
    await expectNoAxeProblems(staff, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(staff.getByRole('main')).toContainText('Version 1, 1 step (1 hidden), 15 points')
    await tab.reload()
    await expect(guide.getByRole('region', { name: 'Note from your instructor' })).toContainText('Use your own name.')
    await expect(guide).toContainText('Step 1 of 1 · 14 of 15 points')
  })

  await test.step('only trainings with a guide have the tab', async () => {
    const staff = await newPageAs('admin@acme.test', '/vm/class?training=Linux+101')
    const tabs = staff.getByRole('navigation', { name: /^Parts of/ }).getByRole('link')
    await expect(tabs.last()).toHaveText('Guide')
    // No tab moves under the pointer when that of the guide appears.
    const answered = Promise.withResolvers<void>()
    await staff.route('**/api/guides/attached?*', (route) => answered.promise.then(() => route.continue()))
    await staff.goto('/vm/class?training=Linux+101')
    await expect(tabs.nth(1)).toHaveText('Class')
    await waitForPaint(staff)
    const placed = async () =>
      Promise.all((await tabs.all()).map(async (tab) => [await tab.innerText(), (await tab.boundingBox())!.x]))
    const before = await placed()
    answered.resolve()
    await expect(tabs.last()).toHaveText('Guide')
    expect((await placed()).slice(0, -1)).toEqual(before)
    await staff.unroute('**/api/guides/attached?*')
    await staff.goto('/vm/guide?training=Containers+Workshop')
    await expect(staff.getByRole('main')).toContainText('This training has no guide.')
    await staff.getByRole('link', { name: 'Class', exact: true }).click()
    await expect(tabs.nth(2)).toHaveText('Attendance')
  })
})

test('an admin uploads, proves, publishes, attaches, detaches, retires and deletes guides', async ({
  signedIn,
  newPageAs,
  git,
}) => {
  const page = await signedIn('admin', '/admin/guides')
  const guides = page.getByRole('table', { name: 'Guides' })
  const row = guides.getByRole('row', { name: /^Users and permissions on Linux/ })
  const archive = (name: string, files: ReadonlyMap<string, Buffer>) => ({
    name,
    mimeType: 'application/zip',
    buffer: zipOfFiles(files),
  })
  const menu = async (item: string) => {
    await row.getByRole('button', { name: /^More actions for/ }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const dialog = page.getByRole('dialog')
  const upload = async (file: ReturnType<typeof archive>) => {
    await page.getByRole('button', { name: 'Upload a guide' }).click()
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Choose a file' }).click()
    await (await choosing).setFiles(file)
  }
  await expect(guides.getByRole('row', { name: /^First steps in the terminal/ })).toContainText('Linux 101')

  await test.step('a refused archive lists its faults with file and place', async () => {
    const files = exampleFiles('linux-users')
    files.delete('checks/account.sh')
    await upload(archive('broken.zip', files))
    const faults = page.getByRole('alert', { name: 'Findings' })
    await expect(faults).toContainText('Not stored: 1 fault.')
    await expect(faults.getByRole('listitem')).toHaveText(
      /^guide\.yaml, line \d+, steps\.0\.tasks\.0\S*: .*checks\/account\.sh/,
    )
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await page.setViewportSize({ width: 1366, height: 820 })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // The faults stay in sight while the author mends them.
    await expect(faults).toBeVisible()
  })

  await test.step('an archive that is dropped becomes a draft, whose text can be read', async () => {
    const bytes = [...zipOfFiles(exampleFiles('linux-users'))]
    const data = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(content)], 'guide.zip', { type: 'application/zip' }))
      return transfer
    }, bytes)
    await guides.dispatchEvent('drop', { dataTransfer: data })
    await expect(row).toContainText('Draft')
    // Messages are in the top bar, where they cover no button.
    expect((await page.getByText('was uploaded as a draft').boundingBox())!.y).toBeLessThan(48)
    await expect(page.getByRole('alert', { name: 'Findings' })).toBeHidden()
    await menu('Preview')
    await expect(dialog.getByRole('heading', { name: '2. A shared folder' })).toBeVisible()
    await expect(dialog.getByRole('heading', { name: 'A shared folder' })).toHaveCount(1)
    await expect(dialog).toContainText('Uploaded by admin@acme.test')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  await test.step('it is published with a reason, and attached to a training', async () => {
    await menu('Publish')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Enter a reason.')
    await dialog.getByLabel('Reason').fill('Tried by hand.')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(row).toContainText('Published')
    await row.getByRole('button', { name: /^Attach/ }).click()
    await dialog.getByLabel('Training').selectOption('Containers Workshop')
    await dialog.getByRole('button', { name: 'Attach' }).click()
    await expect(row).toContainText('Containers Workshop')
    await expect(page.getByText('Learners of Containers Workshop now see')).toBeVisible()
  })

  await test.step('it is detached and retired', async () => {
    await menu('Detach from Containers Workshop')
    await dialog.getByRole('button', { name: 'Detach' }).click()
    await expect(row).not.toContainText('Containers Workshop')
    await menu('Retire')
    await dialog.getByRole('button', { name: 'Retire' }).click()
    await expect(row).toContainText('Retired')
    await expect(row.getByRole('button', { name: /^Attach/ })).toBeHidden()
  })

  await test.step('a version is proven at a price that is shown before, and a changed one shows its faults', async () => {
    const versionOf = (number: number) =>
      guides.getByRole('row', { name: new RegExp(`^First steps in the terminal.* ${number} `) })
    await versionOf(1)
      .getByRole('button', { name: /^More actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Prove' }).click()
    await expect(dialog).toContainText('At most 60 minutes × ₹14.00 an hour: ₹14.00 at most, billed as Guide proofs.')
    await dialog.getByRole('button', { name: 'Prove' }).click()
    await expect(versionOf(1)).toContainText('Proving, machine starts')
    await expect(versionOf(1)).toContainText(/Proven \d\d:\d\d on Ubuntu 24\.04 Standard/, { timeout: 60_000 })
    const files = exampleFiles('first-steps')
    files.set('solves/folder.sh', Buffer.from('mkdir /no/such/folder\n'))
    await upload(archive('changed.zip', files))
    await versionOf(2)
      .getByRole('button', { name: /^Prove/ })
      .click()
    await dialog.getByRole('button', { name: 'Prove' }).click()
    await versionOf(2)
      .getByRole('button', { name: /^1 fault: proofs of/ })
      .click({ timeout: 60_000 })
    await expect(dialog).toContainText(/Changed since version 1 was proven on .*: files solves\/folder\.sh\./)
    await expect(dialog.getByRole('list', { name: 'Faults' }).getByRole('listitem')).toContainText([
      'The solution failedStep 2: Keep it in a folder · Put a copy of the note into the folder work · solves/folder.sh · exit status 1mkdir: /no/such/folder: No such file or directory',
    ])
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await page.setViewportSize({ width: 1366, height: 820 })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    // The machine of the proof is deleted first.
    await expect(async () => {
      await versionOf(2)
        .getByRole('button', { name: /^More actions for/ })
        .click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect(versionOf(2)).toBeHidden({ timeout: 3_000 })
    }).toPass()
  })

  await test.step('the ready times of the training say that its guide is proven on its image', async () => {
    await page.goto('/vm/ready?training=Linux+101')
    await expect(page.getByRole('main')).toContainText(/Guide proven \d\d:\d\d on this image/)
    await page.getByRole('main').getByRole('link', { name: 'First steps in the terminal' }).click()
    await expect(guides).toBeVisible()
  })

  await test.step('a guide of another product is converted, with a report of what was not mapped', async () => {
    const files = Object.entries(foreignGuides.killercoda.files).map(
      ([path, text]) => [path, Buffer.from(text)] as const,
    )
    await upload(archive('scenario.zip', new Map(files)))
    await expect(guides.getByRole('row', { name: /^Notes on a server/ })).toContainText('Draft')
    const report = page.getByRole('region', { name: 'Conversion' })
    await expect(report).toContainText(
      'Converted from Killercoda: 3 steps, 2 tasks. Not mapped, or to check: 8 places.',
    )
    await expect(report).toContainText('step2/text.md, line 8: {{TRAFFIC_SELECTOR}} is a value of the foreign portal.')
    await expectNoAxeProblems(page, [[1440, 'dark']])
    await page.setViewportSize({ width: 1366, height: 820 })
  })

  await test.step('a guide is fetched from Git, and again from the same place by one click', async () => {
    const serve = (files: ReadonlyMap<string, Buffer>) => {
      const { commit, objects } = repositoryOf(files)
      git.serve(commit, packOf(objects))
      return commit.slice(0, 8)
    }
    const versionOf = (commit: string) =>
      guides.getByRole('row', { name: /^First steps with Git/ }).filter({ hasText: commit })
    const files = exampleFiles('git-basics')
    await page.getByRole('button', { name: 'Upload a guide' }).click()
    await dialog.getByRole('button', { name: 'Git', exact: true }).click()
    await dialog.getByRole('button', { name: 'Fetch' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Enter the address of the repository.')
    serve(new Map([...files].filter(([path]) => path !== 'guide.yaml')))
    await dialog.getByLabel('Repository').fill(git.url)
    await dialog.getByLabel('Branch, tag or commit').fill('main')
    await dialog.getByLabel('Branch, tag or commit').press('Enter')
    await expect(dialog.getByRole('alert', { name: 'Findings' })).toContainText('Not stored: 1 fault.')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await page.setViewportSize({ width: 1366, height: 820 })
    const first = serve(files)
    await dialog.getByRole('button', { name: 'Fetch' }).click()
    await expect(dialog).toBeHidden()
    await expect(versionOf(first)).toContainText(`Git main, ${first}`)
    const german = 'i18n/de/steps/1-commit.md'
    files.set(german, Buffer.concat([files.get(german)!, Buffer.from('\n![Ein Punkt](../../../images/point.png)\n')]))
    const second = serve(files.set('images/point.png', Buffer.from(POINT, 'base64')))
    await versionOf(first)
      .getByRole('button', { name: /^More actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Update from Git' }).click()
    await expect(versionOf(second)).toContainText('Draft')
  })

  await test.step('a learner chooses a language, which is remembered, and each text names its own', async () => {
    const newest = guides.getByRole('row', { name: /^First steps with Git/ }).first()
    await newest.getByRole('button', { name: /^More actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Publish' }).click()
    await dialog.getByLabel('Reason').fill('Tried by hand.')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await newest.getByRole('button', { name: /^Attach/ }).click()
    await dialog.getByLabel('Training').selectOption('Linux 101')
    await dialog.getByRole('button', { name: 'Attach' }).click()
    await expect(newest).toContainText('Linux 101')
    const console = await newPageAs('learner@acme.test', '/vm/vmdetails?training=Linux+101')
    const card = console.getByRole('list', { name: 'Instances' }).getByRole('listitem').filter({ hasText: 'Running' })
    const opening = console.context().waitForEvent('page')
    await card.getByRole('button', { name: /^Web-based access to/ }).click()
    const tab = await opening
    const guide = guideOf(tab)
    const heading = (language: string) => guide.locator(`[lang=${language}]`).getByRole('heading', { level: 2 })
    await guide.getByLabel('Language').selectOption('Deutsch')
    await expect(guide.getByRole('heading', { level: 2 })).toHaveAttribute('lang', 'de')
    await guide.getByRole('button', { name: 'Start the guide' }).click()
    await expect(heading('de')).toHaveText('Eine Änderung festhalten')
    await tab.reload()
    await tab.getByRole('button', { name: 'Connect' }).click()
    await expect(guide.getByLabel('Language')).toHaveValue('de')
    await expect(heading('de')).toHaveText('Eine Änderung festhalten')
    await expect(guide.getByRole('img', { name: 'Ein Punkt' })).toHaveJSProperty('naturalWidth', 1)
    // The second step is not translated.
    await guide.getByRole('button', { name: 'Next' }).click()
    await expect(guide).toContainText('This step is not translated to German.')
    await expect(heading('en')).toBeVisible()
    await expect(heading('de')).toBeHidden()
  })
})

test('an author writes a guide in the portal, and loses nothing', async ({ signedIn, newPageAs }) => {
  const page = await signedIn('admin', '/admin/guides')
  await page.getByRole('link', { name: 'New guide' }).click()
  const text = page.getByRole('textbox', { name: /^Text of / })
  const files = page.getByRole('list', { name: 'Files of the guide' })
  const preview = page.getByRole('region', { name: 'Preview' })
  const findings = page.getByRole('region', { name: 'Findings' })
  const dialog = page.getByRole('dialog')
  const open = (name: string) => files.getByRole('button', { name }).click()
  const save = page.getByRole('button', { name: 'Save draft' })
  const checkLooks = async () => {
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await page.setViewportSize({ width: 1366, height: 820 })
  }

  await test.step('a new guide can be saved as it is, and its text is previewed as learners see it', async () => {
    await expect(preview.getByRole('heading', { name: 'Write a note' })).toBeVisible()
    await expect(preview).toContainText('Task note')
    await expect(findings).toContainText('No faults found.')
    await text.fill('# Write a note\n\nUse **your own** words.\n\n::task{gone}\n')
    await expect(preview.locator('strong')).toHaveText('your own')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
  })

  await test.step('a fault is found by file and line, and its button leads to the line', async () => {
    const fault = findings.getByRole('listitem').filter({ hasText: 'The step has no task gone.' })
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('alert')).toContainText(
      'Not saved: steps/1-note.md: line 5: The step has no task gone.',
    )
    await checkLooks()
    await open('guide.yaml')
    await expect(text).toHaveAccessibleName('Text of guide.yaml')
    await fault.getByRole('button', { name: 'steps/1-note.md:5' }).click()
    await expect(text).toHaveAccessibleName('Text of steps/1-note.md')
    await expect(text).toBeFocused()
    await page.keyboard.type('::task{note}')
    await expect(text).toHaveValue('# Write a note\n\nUse **your own** words.\n\n::task{note}\n')
    await expect(findings).toContainText('No faults found.')
  })

  await test.step('Ctrl+S saves a draft, keeps the place, and replaces the draft of the last save', async () => {
    await page.keyboard.press('Control+s')
    await expect(page.getByText('new-guide, version 1')).toBeVisible()
    await expect(page).toHaveURL(/guide=new-guide&version=1/)
    await expect(page.getByRole('alert')).toBeHidden()
    const saveAs = async (id: string) => {
      await open('guide.yaml')
      await expect(text).toHaveAccessibleName('Text of guide.yaml')
      await text.fill((await text.inputValue()).replace(/^id: .*$/m, `id: ${id}`))
      await save.click()
    }
    await saveAs('renamed')
    await expect(page).toHaveURL(/guide=renamed/)
    await expect(page.getByText('renamed, version 1')).toBeVisible()
    await saveAs('new-guide')
    await expect(page).toHaveURL(/guide=new-guide/)
    await expect(page.getByText('new-guide, version 2')).toBeVisible()
    await open('steps/1-note.md')
    await text.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n\nMore.')
    const typed = Promise.withResolvers<void>()
    await page.route('**/api/guides', async (route) => {
      await typed.promise
      await route.continue()
    })
    await page.keyboard.press('Control+s')
    await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
    await page.keyboard.type(' Meanwhile.')
    typed.resolve()
    await expect(page).toHaveURL(/version=3/)
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await page.unroute('**/api/guides')
    await expect(text).toBeFocused()
    await page.keyboard.press('Control+s')
    await expect(page).toHaveURL(/version=4/)
    await expect(text).toHaveValue(/More\. Meanwhile\./)
    await page.reload()
    await expect(text).toHaveValue(/More\./)
    const list = await newPageAs('admin@acme.test', '/admin/guides')
    await expect(list.getByRole('row', { name: /^New guide/ })).toHaveCount(1)
  })

  await test.step('a picture that is dropped into the text is added, named and shown', async () => {
    const data = await page.evaluateHandle((png) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(png), (char) => char.codePointAt(0)!)
      transfer.items.add(new File([bytes], 'First window.png', { type: 'image/png' }))
      return transfer
    }, POINT)
    await text.focus()
    await page.keyboard.press('Control+End')
    // Another file is shown before the picture is read.
    await page.evaluate(() => {
      const read = Blob.prototype.arrayBuffer
      Blob.prototype.arrayBuffer = async function arrayBuffer() {
        await new Promise((go) => {
          addEventListener('read', go, { once: true })
        })
        return read.call(this)
      }
    })
    await text.dispatchEvent('drop', { dataTransfer: data })
    await open('guide.yaml')
    await expect(text).toHaveValue(/^format: 1/)
    await page.evaluate(() => dispatchEvent(new Event('read')))
    await expect(files.getByRole('button', { name: 'images/First-window.png' })).toBeVisible()
    await expect(text).toHaveValue(/^format: 1/)
    await open('steps/1-note.md')
    await expect(text).toHaveValue(/More\. Meanwhile\.!\[First window\]\(\.\.\/images\/First-window\.png\)/)
    await expect(preview.getByRole('img', { name: 'First window' })).toBeVisible()
    await expect(findings).toContainText('No faults found.')
    await open('images/First-window.png')
    await expect(text).toBeHidden()
    await expect(page.getByRole('img', { name: 'images/First-window.png' })).toBeVisible()
    await checkLooks()
  })

  await test.step('files are created, renamed and deleted, and cannot leave the folder', async () => {
    await page.getByRole('button', { name: 'New file' }).click()
    for (const name of ['../x', '.git/config', 'guide.yaml']) {
      await dialog.getByLabel('Name with folders').fill(name)
      await dialog.getByRole('button', { name: 'Create' }).click()
      await expect(dialog.getByRole('alert')).toBeVisible()
    }
    await dialog.getByLabel('Name with folders').fill('checks/more.sh')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(text).toHaveAccessibleName('Text of checks/more.sh')
    await page.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByLabel('Name with folders').fill('checks/other.sh')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await expect(text).toHaveAccessibleName('Text of checks/other.sh')
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(files.getByRole('button', { name: 'checks/other.sh' })).toBeHidden()
    const remove = page.getByRole('button', { name: 'Delete' })
    await expect(remove).toBeFocused()
    await expect(remove).toHaveAccessibleDescription('Every guide has guide.yaml.')
    await save.click()
    await expect(page).toHaveURL(/version=5/)
  })

  await test.step('of two authors at once, the second keeps the text and decides', async () => {
    const other = await newPageAs('admin@acme.test', '/admin/guides/edit?guide=new-guide&version=5')
    await other.getByRole('textbox', { name: /^Text of / }).fill('Another text.\n\n::task{note}\n')
    await other.getByRole('button', { name: 'Save draft' }).click()
    await expect(other).toHaveURL(/version=6/)
    await open('steps/1-note.md')
    await text.fill('My own text.\n\n::task{note}\n')
    await save.click()
    const refused = page.getByRole('alert').filter({ hasText: 'Not saved' })
    await expect(refused).toContainText('admin@acme.test stored version 6 meanwhile.')
    await expect(text).toHaveValue('My own text.\n\n::task{note}\n')
    await expectNoAxeProblems(page, [[1440, 'dark']])
    await page.setViewportSize({ width: 1366, height: 820 })
    await refused.getByRole('button', { name: 'Save mine after it' }).click()
    await expect(page).toHaveURL(/version=7/)
    await expect(refused).toBeHidden()
  })

  await test.step('unsaved changes are not left without a question', async () => {
    await text.fill('Half typed')
    await page.getByRole('link', { name: 'All guides' }).click()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await expect(text).toHaveValue('Half typed')
  })

  await test.step('on a phone and at 200 % zoom, files, text and preview are tabs', async () => {
    for (const [width, height] of [
      [390, 800],
      [683, 410],
    ] as const) {
      await page.setViewportSize({ width, height })
      const part = (name: string) => page.getByRole('group', { name: 'Part' }).getByRole('button', { name })
      await part('Files').click()
      await expect(text).toBeHidden()
      await open('guide.yaml')
      await expect(text).toHaveAccessibleName('Text of guide.yaml')
      await expect(files).toBeHidden()
      await part('Files').click()
      await open('steps/1-note.md')
      await part('Preview').click()
      await expect(preview).toContainText('Half typed')
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  })
})
