/** A company that an administrator adds by hand, in five fields. Spec §3 "Imported company", §6. No I/O here. */
import { checkedCompany, type GivenCompany, RowProblem } from './imported-company.ts'

/** As the form holds it. */
export interface AddedCompany {
  name: string
  category: string
  website: string
  logoUrl: string
  description: string
}

export const EMPTY_COMPANY: AddedCompany = {
  name: '',
  category: '',
  website: '',
  logoUrl: '',
  description: '',
}

export const ADD_COMPANY_TEXTS = {
  button: 'Add a company',
  missing: 'Not here? Add it',
  text: 'It can be found at once. Its logo is looked for at the address below, or at its own site.',
  name: 'Name',
  category: 'Category',
  website: 'Website (optional)',
  logoUrl: 'Logo address (optional)',
  description: 'Description (optional)',
  add: 'Add company',
  addAnother: 'Add as another company',
  adding: 'Adding...',
  double: (name: string) => `"${name}" has this name or this website already.`,
  added: (name: string) => `"${name}" is added`,
} as const

/** The form as a row of an import, for the same checks. */
export const rowOf = ({ logoUrl, ...form }: AddedCompany): GivenCompany => ({
  ...form,
  logo_url: logoUrl,
})

/** What is wrong, by field. */
export const addedCompanyProblems = (form: AddedCompany) => ({
  name: form.name.trim() === '' ? 'A company needs a name' : rowProblem({ name: form.name }),
  category: rowProblem({ category: form.category }),
  website: rowProblem({ website: form.website }),
  logoUrl: rowProblem({ logo_url: form.logoUrl }),
  description: rowProblem({ description: form.description }),
})

/** Beside a name that is right, so that the row is not empty. */
function rowProblem(field: GivenCompany): string | undefined {
  try {
    checkedCompany({ name: 'Acme', ...field })
  } catch (error) {
    if (error instanceof RowProblem) return error.message
    throw error
  }
}
