//! Which cluster versions Helm takes: what `k8s.io/apimachinery/pkg/util/version.ParseGeneric` accepts
//! (both dialects; Helm 4.3.1 and 3.19.0 were asked). At least major and minor, then anything.

/// Why a text is not a cluster version; `None` when Helm would take it.
pub fn fault(text: &str) -> Option<&'static str> {
    let digits = text.strip_prefix('v').unwrap_or(text);
    let mut parts = 0;
    let mut rest = digits;
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if end == 0 || rest[..end].parse::<u64>().is_err() {
            break;
        }
        parts += 1;
        rest = &rest[end..];
        match rest.strip_prefix('.') {
            Some(after) => rest = after,
            None => break,
        }
    }
    match parts {
        0 => Some("is not a Kubernetes version"),
        1 => Some("lacks a minor version"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_helm_takes() {
        for good in [
            "v1.36.2",
            "1.36",
            "v1.36.2+k8s1",
            "v1.36.2-eks-abc",
            "v1.2.3.4",
            "1.36.x",
        ] {
            assert_eq!(fault(good), None, "{good}");
        }
        for bad in [
            "1",
            "v1-alpha",
            "V1.2",
            "",
            "latest",
            "v",
            "99999999999999999999.1",
        ] {
            assert!(fault(bad).is_some(), "{bad}");
        }
    }
}
