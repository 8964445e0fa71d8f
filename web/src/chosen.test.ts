import { expect, it } from 'vitest'
import { scopeOf } from './chosen.ts'

const admin = { role: 'admin', organization: 'Acme Learning' } as const
const superadmin = { role: 'superadmin', organization: 'Trainyard' } as const

it('is of their own organisation for whoever may not choose one, whatever the address says', () => {
  expect(scopeOf(admin, { organization: 'Globex', training: 'Linux 101' })).toEqual({
    organization: 'Acme Learning',
    training: 'Linux 101',
    ofTraining: { trainingName: 'Linux 101' },
  })
})

it('is of the chosen customer for a superadmin, and names it to the calls', () => {
  expect(scopeOf(superadmin, { organization: 'Globex', training: 'Linux 101' })).toEqual({
    organization: 'Globex',
    training: 'Linux 101',
    ofTraining: { trainingName: 'Linux 101', organization: 'Globex' },
  })
})

it('is about nothing where nothing was chosen', () => {
  expect(scopeOf(superadmin, {})).toEqual({ organization: null, training: null, ofTraining: null })
})
