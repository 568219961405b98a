/** How many posts moderators removed, on the page that says how they decide. */
import { CompanyRemovals } from '#app/community/reports/ui/company-removals.tsx'

export default CompanyRemovals
