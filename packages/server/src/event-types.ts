// Made from openapi.json by `npm run openapi`.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        "user.created": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.created";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.verified": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.verified";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.updated": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.updated";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /** @description names of the changed members, without values */
                changed: string[];
            };
        };
        "user.email_changed": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.email_changed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.password_changed": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.password_changed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.role_changed": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.role_changed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /** @description a `user_type` */
                from: string;
                /** @description a `user_type` */
                to: string;
            };
        };
        "user.blocked": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.blocked";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /** Format: date-time */
                until: string | null;
            };
        };
        "user.unblocked": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.unblocked";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.deleted": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.deleted";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.restored": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.restored";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.erased": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.erased";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "user.export_requested": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.export_requested";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "session.created": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "session.created";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                session_id: string;
                /** Format: uuid */
                parent_id: string | null;
                application: string | null;
                /** @description whether a superadmin acts as the user */
                impersonated: boolean;
            };
        };
        "session.ended": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "session.ended";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                session_id: string;
                /** @example logout */
                reason: string;
            };
        };
        "identity.linked": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "identity.linked";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /** @description an identity provider, such as `google` */
                provider: string;
            };
        };
        "identity.unlinked": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "identity.unlinked";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /** @description an identity provider, such as `google` */
                provider: string;
            };
        };
        "module.installed": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "module.installed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                module_id: string;
                components: string[];
                runtime_scope: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                run_id: string;
            };
        };
        "module.upgraded": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "module.upgraded";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                module_id: string;
                components: string[];
                runtime_scope: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                run_id: string;
            };
        };
        "module.repaired": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "module.repaired";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                module_id: string;
                components: string[];
                runtime_scope: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                run_id: string;
            };
        };
        "webhook.test": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "webhook.test";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                webhook_id: string;
            };
        };
        "factor.added": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "factor.added";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                factor_id: string;
                /** @description `email`, `sms`, `totp` or `passkey` */
                method: string;
            };
        };
        "factor.removed": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "factor.removed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                factor_id: string;
                /** @description `email`, `sms`, `totp` or `passkey` */
                method: string;
            };
        };
        "user.privacy_changed": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.privacy_changed";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /** @description names of the changed members, without values */
                changed: string[];
            };
        };
        "user.deletion_requested": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.deletion_requested";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                scheduled_for: string;
            };
        };
        "user.deletion_cancelled": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.deletion_cancelled";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, with milliseconds
                 */
                scheduled_for: string;
            };
        };
        "user.onboarded": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "user.onboarded";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                user_id: string;
            };
        };
        "post.created": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.created";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "post.updated": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.updated";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "post.published": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.published";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "post.pending": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.pending";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "post.scheduled": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.scheduled";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "post.unpublished": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.unpublished";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "post.deleted": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.deleted";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "post.restored": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post.restored";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                slug: string;
                lang: string;
                /**
                 * @description the status after the change
                 * @example published
                 */
                status: string;
                /** @example post */
                post_type: string;
            };
        };
        "translation.saved": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "translation.saved";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                lang: string;
                /** @description true for a new translation */
                created: boolean;
            };
        };
        "translation.deleted": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "translation.deleted";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                lang: string;
                /** @description true for a new translation */
                created: boolean;
            };
        };
        "comment.created": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "comment.created";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                comment_id: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                /**
                 * @description the status after the change
                 * @example pending
                 * @example approved
                 */
                status: string;
            };
        };
        "comment.moderated": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "comment.moderated";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                comment_id: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                /**
                 * @description the status after the change
                 * @example pending
                 * @example approved
                 */
                status: string;
            };
        };
        "comment.deleted": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "comment.deleted";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                comment_id: string;
                /**
                 * Format: uuid
                 * @description opaque identifier
                 */
                post_id: string;
                /**
                 * @description the status after the change
                 * @example pending
                 * @example approved
                 */
                status: string;
            };
        };
        "post_type.created": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post_type.created";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /** @example recipe */
                type_key: string;
            };
        };
        "post_type.updated": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post_type.updated";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /** @example recipe */
                type_key: string;
            };
        };
        "post_type.deleted": {
            /**
             * Format: uuid
             * @description opaque identifier
             */
            id: string;
            /** @constant */
            type: "post_type.deleted";
            /** @constant */
            version: 1;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, with milliseconds
             */
            occurred_at: string;
            data: {
                /** @example recipe */
                type_key: string;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
