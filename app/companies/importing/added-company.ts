/** A company that an administrator adds by hand. Spec §3 "Imported company", §6. No I/O here. */
import { checkedCompany, RowProblem, type UncheckedCompany } from './imported-company.ts'

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

export const rowOf = ({ logoUrl, ...form }: AddedCompany): UncheckedCompany => ({
  ...form,
  logo_url: logoUrl,
})

export const addedCompanyProblems = (form: AddedCompany) => ({
  name: form.name.trim() === '' ? 'A company needs a name' : rowProblem({ name: form.name }),
  category: rowProblem({ category: form.category }),
  website: rowProblem({ website: form.website }),
  logoUrl: rowProblem({ logo_url: form.logoUrl }),
  description: rowProblem({ description: form.description }),
})

/** Checks one field. We add a valid name, so the row isn't empty. */
function rowProblem(field: UncheckedCompany): string | undefined {
  try {
    checkedCompany({ name: 'Acme', ...field })
  } catch (error) {
    if (error instanceof RowProblem) return error.message
    throw error
  }
}
