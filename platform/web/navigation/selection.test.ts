import { expect, it } from 'vitest'
import { selectionOf } from './selection.ts'

const admin = { role: 'admin', organization: 'Acme Learning' } as const
const superadmin = { role: 'superadmin', organization: 'Trainyard' } as const

it('ignores an organisation in the URL unless the user is a superadmin', () => {
  expect(selectionOf(admin, { organization: 'Globex', training: 'Linux 101' })).toEqual({
    organization: 'Acme Learning',
    training: 'Linux 101',
    trainingQuery: { trainingName: 'Linux 101' },
  })
})

it("uses a superadmin's chosen customer and passes it to calls", () => {
  expect(selectionOf(superadmin, { organization: 'Globex', training: 'Linux 101' })).toEqual({
    organization: 'Globex',
    training: 'Linux 101',
    trainingQuery: { trainingName: 'Linux 101', organization: 'Globex' },
  })
})

it('selects nothing without a choice', () => {
  const NO_SELECTION = { organization: null, training: null, trainingQuery: null }
  expect(selectionOf(superadmin, {})).toEqual(NO_SELECTION)
  expect(selectionOf(superadmin, { organization: '', training: '' })).toEqual(NO_SELECTION)
})
