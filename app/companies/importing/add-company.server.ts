/** Adds one company, checked like an imported one. Spec §6 "Add company". */
import type { Ctx } from '#app/api/auth/context.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { requireValid } from '#app/platform/http/refusal.ts'
import { companyPath } from '../company.ts'
import { broadcastCompanyChange } from '../company-changes.server.ts'
import { insertCompanies } from '../company-commands.server.ts'
import { type AddedCompany, addedCompanyProblems, rowOf } from './added-company.ts'
import { companiesKnownAs, companiesLike, identitiesOf } from './company-match-queries.server.ts'
import { askForLogo } from './import-commands.server.ts'
import { type SameCompany, shown } from './import-report.ts'
import { lockImports } from './import-turn.server.ts'
import { checkedCompany } from './imported-company.ts'

export type CompanyForm = AddedCompany & {
  /** Adds the company despite a possible duplicate. */
  isAnother: boolean
}

/** The added company, or the one that already has this name or website. */
type Addition =
  | { added: { id: string; name: string; slug: string | null }; double: null }
  | { added: null; double: SameCompany }

/** @throws Refusal bad-request */
export const addCompany = (ctx: Ctx, form: CompanyForm) =>
  transaction(ctx, async (ctx) => {
    const { added, double } = await insertOne(ctx, form)
    if (added)
      await logAdminAct(ctx, { action: 'add-company', subject: added.name, companyId: added.id })
    return { company: added && { name: added.name, path: companyPath(added) }, double }
  })

/** Run it in a transaction. @throws Refusal bad-request */
export async function insertOne(ctx: ServerContext, form: CompanyForm): Promise<Addition> {
  requireValid(addedCompanyProblems(form))
  const company = checkedCompany(rowOf(form))
  // If two people add the same company at once, the second sees the first.
  await lockImports(ctx.db)
  const known = await companiesKnownAs(ctx, new Set(identitiesOf(company)))
  const [like] = await companiesLike(ctx, [company])
  const double = known.values().next().value ?? (like?.is === 'same' ? like.company : undefined)
  if (double && !form.isAnother) return { added: null, double: shown(double) }
  const [inserted] = await insertCompanies(ctx, [company])
  if (!inserted) throw new Error('The company wasn’t added')
  await broadcastCompanyChange(ctx.db, inserted.id, [inserted.slug])
  await askForLogo(ctx, inserted.id, company)
  return { added: { name: company.name, ...inserted }, double: null }
}
