import { expect, it } from 'vitest'
import { selectionOf } from './selection.ts'

const admin = { role: 'admin', organization: 'Acme Learning' } as const
const superadmin = { role: 'superadmin', organization: 'Trainyard' } as const

it('the organisation is one’s own for everybody but superadmins, whatever the address says', () => {
  expect(selectionOf(admin, { organization: 'Globex', training: 'Linux 101' })).toEqual({
    organization: 'Acme Learning',
    training: 'Linux 101',
    ofTraining: { trainingName: 'Linux 101' },
  })
})

it('the organisation is the chosen customer for a superadmin, and goes along with calls', () => {
  expect(selectionOf(superadmin, { organization: 'Globex', training: 'Linux 101' })).toEqual({
    organization: 'Globex',
    training: 'Linux 101',
    ofTraining: { trainingName: 'Linux 101', organization: 'Globex' },
  })
})

it('nothing is selected where nothing was chosen', () => {
  const nothing = { organization: null, training: null, ofTraining: null }
  expect(selectionOf(superadmin, {})).toEqual(nothing)
  expect(selectionOf(superadmin, { organization: '', training: '' })).toEqual(nothing)
})
