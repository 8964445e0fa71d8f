import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { openClassSettings } from './class-settings.ts'
import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, menuOf, test } from './test.ts'
import { orderTraining } from './training.ts'

const TRAINING = 'A class with an instructor'
const QUERY = `?training=${encodeURIComponent(TRAINING)}`
const LEARNER = 'asha.rao@acme.test'
const LEARNER_MENU = ['Home', 'Virtual Lab Console', 'Usage and Billing Summary', 'Session Logs']

test('an admin makes a user an instructor, who leads the class and its schedule, and removes them', async ({
  signedIn,
  newPageAs,
}) => {
  const page = await signedIn('admin')
  await orderTraining(page, TRAINING, [LEARNER], { guacamole: true })
  const dialog = page.getByRole('dialog', { name: 'Instructors' })

  await test.step('the admin adds a learner of another training', async () => {
    await navigate(page, `/vm/class${QUERY}&seats=large`)
    await openClassSettings(page, 'Instructors')
    await expect(dialog.getByText('This training has no instructors besides the admins.')).toBeVisible()
    await dialog.getByLabel('E-mail').fill('nobody')
    await dialog.getByRole('button', { name: 'Add instructor' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Enter an e-mail address such as name@example.com.')
    await dialog.getByLabel('E-mail').fill(DEMO_USERS.user)
    await dialog.getByRole('button', { name: 'Add instructor' }).click()
    await expect(dialog.getByRole('list', { name: 'Instructors' })).toContainText(DEMO_USERS.user)
    await expect(dialog.getByLabel('E-mail')).toHaveValue('')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
  })

  const teacher = await newPageAs(DEMO_USERS.user)
  await test.step('their menu has the class and the schedule, and Home leads there', async () => {
    await expect(menuOf(teacher)).toHaveText([
      'Home',
      'Virtual Lab Console',
      'Usage and Billing Summary',
      'Session Logs',
      'Schedule Task',
    ])
    await teacher.getByRole('link', { name: `Open the class of ${TRAINING}` }).click()
    await expect(teacher.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console, Class')
    await teacher.getByRole('button', { name: 'Large' }).click()
  })

  await test.step('they lead the class without the settings of an admin', async () => {
    const tile = teacher.getByRole('list', { name: 'Learners' }).getByRole('listitem')
    await expect(tile).toContainText(LEARNER)
    await expect(teacher.getByRole('button', { name: 'Announce' })).toBeVisible()
    for (const name of ['Watching', 'Files', 'Instructors'])
      await expect(teacher.getByRole('button', { name, exact: true })).toHaveCount(0)
    await tile.getByRole('button', { name: /^More actions for/ }).click()
    await expect(teacher.getByRole('menuitem')).toHaveText(['Copy name', 'Timeline', 'Reset'])
    await teacher.keyboard.press('Escape')
    await tile.getByRole('button', { name: `Power Off the machine of ${LEARNER}` }).click()
    await expect(tile).toContainText('Stopping')
    await navigate(teacher, `/vm/scheduler${QUERY}`)
    await expect(teacher.getByRole('button', { name: 'New Scheduled Event' })).toBeEnabled()
    await expectNoAxeProblems(teacher, [[1440, 'light']])
  })

  await test.step('another training and other screens are closed to them', async () => {
    await navigate(teacher, '/vm/class?training=Containers%20Workshop')
    await expect(teacher.getByRole('heading', { level: 1 })).toHaveText('Permission Error')
    await navigate(teacher, `/vm/ports${QUERY}`)
    await expect(teacher.getByRole('heading', { level: 1 })).toHaveText('Permission Error')
  })

  await test.step('after the removal they are a learner again', async () => {
    await dialog.getByRole('button', { name: `Remove ${DEMO_USERS.user}` }).click()
    await expect(dialog.getByText('This training has no instructors besides the admins.')).toBeVisible()
    await teacher.goto('/')
    await expect(menuOf(teacher)).toHaveText(LEARNER_MENU)
  })
})
