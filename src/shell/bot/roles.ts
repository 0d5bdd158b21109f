/** What a process may do of the daemon's work. */
export const allRoles = ['listener', 'reviewer', 'sender', 'digest'] as const;

export type Role = (typeof allRoles)[number];

export function isRole(text: string): text is Role {
  return (allRoles as readonly string[]).includes(text);
}
