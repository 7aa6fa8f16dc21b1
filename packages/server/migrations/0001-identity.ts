import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      username text not null,
      username_key text not null unique,
      password_hash text not null,
      roles text[] not null,
      is_admin boolean not null,
      token_version integer not null default 0,
      created_at timestamptz not null default now()
    );
    create index users_admins on users (id) where is_admin;

    -- Recovery requests, also for accounts that do not exist: a caller cannot tell the difference.
    create table password_recoveries (
      id bigint generated always as identity primary key,
      username_key text not null,
      requested_at timestamptz not null default now(),
      attempts integer not null default 0,
      next_attempt_at timestamptz default now()
    );
    create index password_recoveries_of on password_recoveries (username_key, requested_at);
    create index password_recoveries_due on password_recoveries (next_attempt_at) where next_attempt_at is not null;

    -- One per user: a newer token replaces the older.
    create table reset_tokens (
      user_id uuid primary key references users (id) on delete cascade,
      hash text not null unique,
      expires_at timestamptz not null
    );

    create table setup_tokens (
      hash text primary key,
      created_at timestamptz not null default now()
    );

    -- json, not jsonb: configurations are returned as they were sent.
    create table agents (
      id uuid primary key,
      ap_id text not null unique collate "C",
      password_hash text not null,
      configuration json not null,
      token_version integer not null default 0,
      created_at timestamptz not null default now()
    );

    create table enrolment_tokens (
      id uuid primary key,
      hash text not null unique,
      ap_id_pattern text not null,
      max_uses integer not null,
      uses integer not null default 0,
      created_by text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );

    create table third_party_apps (
      id uuid primary key,
      app_name text not null unique collate "C",
      api_key_hash text not null,
      api_key_sealed bytea not null,
      permissions json not null,
      token_version integer not null default 0,
      created_at timestamptz not null default now()
    );

    -- transaction_id: replicas poll for changes without missing a late commit.
    create table revocations (
      subject uuid primary key,
      version integer not null,
      revoked_at timestamptz not null default now(),
      transaction_id xid8 not null default pg_current_xact_id()
    );
    create index revocations_tail on revocations (transaction_id);
    create index revocations_age on revocations (revoked_at);

    -- Unlogged: a failed login causes no disk flush, and may be lost when the database crashes.
    create unlogged table login_failures (
      key text primary key,
      failures double precision not null,
      counted_at timestamptz not null,
      blocked_until timestamptz not null,
      expires_at timestamptz not null
    );
    create index login_failures_expired on login_failures (expires_at);

    create table audit (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      actor_kind text not null,
      actor text not null,
      action text not null,
      target text not null,
      detail jsonb not null,
      request_id text
    );
    create index audit_age on audit (at);
  `.execute(db)
}
